--TEST--
A cancelled caller leaves awaitCompletion(); the scope goes on
--FILE--
<?php
use function Async\{await, delay, spawn, suspend, timeout};
$s = new Async\Scope;
$task = $s->spawn(function () { delay(3); return 'goes on'; });
$waiter = spawn(fn () => $s->awaitCompletion(timeout(5000)));
suspend();
$waiter->cancel();
try { await($waiter); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
var_dump($s->isCancelled(), await($task));
?>
--EXPECT--
Coroutine cancelled
bool(false)
string(7) "goes on"
