--TEST--
Elements of a Traversable are checked too
--FILE--
<?php
use function Async\await_all;
require __DIR__ . '/../says.inc';
says(fn () => await_all(new ArrayIterator([3])));
?>
--EXPECT--
Async\AsyncException: Expected item to be an Async\Awaitable object
