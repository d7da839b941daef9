--TEST--
A cancelled caller leaves TaskSet::awaitCompletion(); the tasks go on
--FILE--
<?php
use function Async\{await, spawn, suspend};
$s = new Async\TaskSet;
$gate = new Async\Future($state = new Async\FutureState);
$s->spawn(function () use ($gate) { $gate->await(); echo "the task ends\n"; });
$s->close();
$caller = spawn(fn () => $s->awaitCompletion());
suspend();
$caller->cancel();
try { await($caller); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$state->complete(null);
$s->awaitCompletion();
var_dump($s->isFinished());
?>
--EXPECT--
Coroutine cancelled
the task ends
bool(true)
