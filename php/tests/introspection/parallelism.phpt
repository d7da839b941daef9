--TEST--
available_parallelism() is at least 1
--FILE--
<?php
use function Async\available_parallelism;
require __DIR__ . '/../says.inc';
var_dump(available_parallelism() >= 1);
says(fn () => available_parallelism(1));
?>
--EXPECT--
bool(true)
ArgumentCountError: Async\available_parallelism() expects exactly 0 arguments, 1 given
