--TEST--
A cancelled caller leaves awaitCompletion(); the scope goes on
--FILE--
<?php
use function Async\{await, spawn, suspend, timeout};
$s = new Async\Scope;
$gate = new Async\Future($state = new Async\FutureState);
$task = $s->spawn(function () use ($gate) { $gate->await(); return 'goes on'; });
$waiter = spawn(fn () => $s->awaitCompletion(timeout(5000)));
suspend();
$waiter->cancel();
try { await($waiter); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$state->complete(null);
var_dump($s->isCancelled(), await($task));
?>
--EXPECT--
Coroutine cancelled
bool(false)
string(7) "goes on"
