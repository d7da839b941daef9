--TEST--
O-1: coroutines that main has spawned run in order after it ended
--FILE--
<?php
use function Async\spawn;
echo "S\n";
foreach (['A', 'B', 'C'] as $name) {
    spawn(function () use ($name) { echo "$name\n"; });
}
echo "E\n";
?>
--EXPECT--
S
E
A
B
C
