--TEST--
suspend() lets all who are ready run once
--FILE--
<?php
use function Async\{spawn, suspend};
foreach (['a', 'b'] as $n) spawn(function () use ($n) { echo "$n\n"; });
suspend();
echo "main\n";
?>
--EXPECT--
a
b
main
