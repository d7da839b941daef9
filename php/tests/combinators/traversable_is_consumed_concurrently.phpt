--TEST--
Members of a Traversable run while the iterator waits for the next one
--FILE--
<?php
use function Async\{spawn, delay, await_all};
function slow_source() { yield 'a' => spawn(fn () => print("a runs\n")); delay(5); echo "next\n"; yield 'b' => spawn(fn () => print("b runs\n")); }
await_all(slow_source());
?>
--EXPECT--
a runs
next
b runs
