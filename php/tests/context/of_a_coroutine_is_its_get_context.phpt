--TEST--
coroutine_context() is the context that getContext() gives
--FILE--
<?php
use function Async\{await, coroutine_context, current_coroutine, spawn};
$c = spawn(fn () => [coroutine_context() === current_coroutine()->getContext(), coroutine_context()]);
[$same, $context] = await($c);
var_dump($same, $c->getContext() === $context);
?>
--EXPECT--
bool(true)
bool(true)
