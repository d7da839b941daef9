--TEST--
getTrace() of the running coroutine is null
--FILE--
<?php
use function Async\{spawn, await, current_coroutine};
var_dump(await(spawn(fn () => current_coroutine()->getTrace())));
?>
--EXPECT--
NULL
