--TEST--
O-1: spawn() returns at once; the bodies start in their order when main ends
--FILE--
<?php
use function Async\spawn;
echo 'S ';
foreach (['A', 'B', 'C'] as $name) spawn(function () use ($name) { echo $name, ' '; });
echo 'E ';
?>
--EXPECT--
S E A B C 
