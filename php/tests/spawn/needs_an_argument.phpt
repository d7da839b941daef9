--TEST--
spawn() without a task is refused
--FILE--
<?php
use function Async\spawn;
require __DIR__ . '/../says.inc';
says(fn () => spawn());
?>
--EXPECT--
ArgumentCountError: Async\spawn() expects at least 1 argument, 0 given
