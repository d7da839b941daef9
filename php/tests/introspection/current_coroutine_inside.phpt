--TEST--
current_coroutine() is the handle that spawn() gave
--FILE--
<?php
use function Async\{spawn, await, current_coroutine};
$c = spawn(fn () => current_coroutine());
var_dump(await($c) === $c);
?>
--EXPECT--
bool(true)
