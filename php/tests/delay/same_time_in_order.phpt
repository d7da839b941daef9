--TEST--
Delays of the same time end in the order of their calls
--FILE--
<?php
use function Async\{spawn, delay};
foreach ([1, 2, 3] as $i) spawn(function () use ($i) { delay(5); echo "$i\n"; });
?>
--EXPECT--
1
2
3
