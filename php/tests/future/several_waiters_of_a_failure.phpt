--TEST--
All waiters of a future get the same exception
--FILE--
<?php
use function Async\{await, spawn, suspend};
$future = new Async\Future($state = new Async\FutureState);
$waiter = function () use ($future) { try { $future->await(); } catch (DomainException $e) { return $e; } };
$a = spawn($waiter);
$b = spawn($waiter);
suspend();
$state->error($failure = new DomainException);
var_dump(await($a) === $failure, await($b) === $failure);
?>
--EXPECT--
bool(true)
bool(true)
