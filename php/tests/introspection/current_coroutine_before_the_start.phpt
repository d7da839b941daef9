--TEST--
current_coroutine() at top level before the runtime starts
--FILE--
<?php
use function Async\current_coroutine;
require __DIR__ . '/../says.inc';
says(fn () => current_coroutine());
?>
--EXPECT--
Async\AsyncException: The current coroutine is not defined
