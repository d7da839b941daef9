--TEST--
suspend() refuses arguments
--FILE--
<?php
use function Async\suspend;
require __DIR__ . '/../says.inc';
says(fn () => suspend(1));
?>
--EXPECT--
ArgumentCountError: Async\suspend() expects exactly 0 arguments, 1 given
