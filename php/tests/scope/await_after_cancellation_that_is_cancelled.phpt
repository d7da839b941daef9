--TEST--
A cancelled caller leaves awaitAfterCancellation(); the scope goes on ending
--FILE--
<?php
use function Async\{await, delay, spawn, suspend};
$s = new Async\Scope;
$gate = new Async\Future($state = new Async\FutureState);
$s->spawn(function () use ($gate) { try { delay(10000); } finally { $gate->await(); echo "cleaned up\n"; } });
suspend();
$s->cancel();
$caller = spawn(fn () => $s->awaitAfterCancellation());
suspend();
$caller->cancel();
try { await($caller); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$state->complete(null);
$s->awaitAfterCancellation();
var_dump($s->isFinished());
?>
--EXPECT--
Coroutine cancelled
cleaned up
bool(true)
