--TEST--
All coroutines of a scope have one context
--FILE--
<?php
use function Async\{await, current_context};
$s = new Async\Scope;
$first = await($s->spawn(fn () => current_context()));
var_dump(await($s->spawn(fn () => current_context())) === $first, current_context() === $first);
?>
--EXPECT--
bool(true)
bool(false)
