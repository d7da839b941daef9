--TEST--
R-SCP-14: a coroutine of a child scope cannot await the parent
--FILE--
<?php
use function Async\{await, timeout};
$parent = new Async\Scope;
$child = Async\Scope::inherit($parent);
$c = $child->spawn(function () use ($parent) { $parent->awaitCompletion(timeout(1000)); });
try { await($c); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Cannot await completion of scope from a coroutine that belongs to the same scope or its children
