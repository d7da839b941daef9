--TEST--
A finally handler runs in another coroutine
--FILE--
<?php
use function Async\{spawn, await, current_coroutine};
$c = spawn(fn () => 1);
$c->finally(function ($c) { var_dump(current_coroutine() === $c); });
await($c);
?>
--EXPECT--
bool(false)
