--TEST--
protect() without a closure is refused
--FILE--
<?php
use function Async\protect;
require __DIR__ . '/../says.inc';
says(fn () => protect());
says(fn () => protect(null));
?>
--EXPECT--
ArgumentCountError: Async\protect() expects exactly 1 argument, 0 given
TypeError: Async\protect(): Argument #1 ($closure) must be of type Closure, null given
