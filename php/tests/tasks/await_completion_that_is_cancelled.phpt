--TEST--
A cancelled caller leaves awaitCompletion(); the tasks go on
--FILE--
<?php
use function Async\{await, spawn, suspend};
$g = new Async\TaskGroup;
$gate = new Async\Future($state = new Async\FutureState);
$g->spawn(function () use ($gate) { $gate->await(); return 'ends'; });
$g->close();
$caller = spawn(fn () => $g->awaitCompletion());
suspend();
$caller->cancel();
try { await($caller); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$state->complete(null);
$g->awaitCompletion();
echo $g->getResults()[0], "\n";
?>
--EXPECT--
Coroutine cancelled
ends
