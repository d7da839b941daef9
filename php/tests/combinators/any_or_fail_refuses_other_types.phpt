--TEST--
await_any_or_fail() refuses elements that are no Awaitable
--FILE--
<?php
use function Async\await_any_or_fail;
require __DIR__ . '/../says.inc';
says(fn () => await_any_or_fail(['x']));
says(fn () => await_any_or_fail('x'));
?>
--EXPECT--
Async\AsyncException: Expected item to be an Async\Awaitable object
TypeError: Async\await_any_or_fail(): Argument #1 ($triggers) must be of type Traversable|array, string given
