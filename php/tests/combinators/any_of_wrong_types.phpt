--TEST--
The arguments of await_any_of() are checked
--FILE--
<?php
use function Async\await_any_of;
require __DIR__ . '/../says.inc';
says(fn () => await_any_of('x', []));
says(fn () => await_any_of(1, 5));
says(fn () => await_any_of(1, [], 5));
?>
--EXPECT--
TypeError: Async\await_any_of(): Argument #1 ($count) must be of type int, string given
TypeError: Async\await_any_of(): Argument #2 ($triggers) must be of type Traversable|array, int given
TypeError: Async\await_any_of(): Argument #3 ($cancellation) must be of type ?Async\Awaitable, int given
