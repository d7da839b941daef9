--TEST--
A scope cannot be awaited from inside
--FILE--
<?php
use function Async\{await, timeout};
$s = new Async\Scope;
$c = $s->spawn(function () use ($s) { $s->awaitCompletion(timeout(100)); });
try { await($c); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Cannot await completion of scope from a coroutine that belongs to the same scope or its children
