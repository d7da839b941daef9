--TEST--
await_first_success() refuses elements that are no Awaitable
--FILE--
<?php
use function Async\await_first_success;
require __DIR__ . '/../says.inc';
says(fn () => await_first_success([new stdClass]));
says(fn () => await_first_success([], new stdClass));
?>
--EXPECT--
Async\AsyncException: Expected item to be an Async\Awaitable object
TypeError: Async\await_first_success(): Argument #2 ($cancellation) must be of type ?Async\Awaitable, stdClass given
