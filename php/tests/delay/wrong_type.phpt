--TEST--
delay() refuses what is no integer
--FILE--
<?php
use function Async\delay;
require __DIR__ . '/../says.inc';
says(fn () => delay('soon'));
says(fn () => delay());
?>
--EXPECT--
TypeError: Async\delay(): Argument #1 ($ms) must be of type int, string given
ArgumentCountError: Async\delay() expects exactly 1 argument, 0 given
