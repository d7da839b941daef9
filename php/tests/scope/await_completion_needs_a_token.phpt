--TEST--
The token of awaitCompletion() is mandatory
--FILE--
<?php
require __DIR__ . '/../says.inc';
$s = new Async\Scope;
says(fn () => $s->awaitCompletion());
says(fn () => $s->awaitCompletion(null));
?>
--EXPECT--
ArgumentCountError: Async\Scope::awaitCompletion() expects exactly 1 argument, 0 given
TypeError: Async\Scope::awaitCompletion(): Argument #1 ($cancellation) must be of type Async\Awaitable, null given
