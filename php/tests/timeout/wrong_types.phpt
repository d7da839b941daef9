--TEST--
timeout() refuses what is no integer
--FILE--
<?php
use function Async\timeout;
require __DIR__ . '/../says.inc';
says(fn () => timeout('x'));
says(fn () => timeout());
?>
--EXPECT--
TypeError: Async\timeout(): Argument #1 ($ms) must be of type int, string given
ArgumentCountError: Async\timeout() expects exactly 1 argument, 0 given
