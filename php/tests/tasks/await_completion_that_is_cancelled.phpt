--TEST--
A cancelled caller leaves awaitCompletion(); the tasks go on
--FILE--
<?php
use function Async\{await, delay, spawn, suspend};
$g = new Async\TaskGroup;
$g->spawn(function () { delay(2); return 'ends'; });
$g->close();
$caller = spawn(fn () => $g->awaitCompletion());
suspend();
$caller->cancel();
try { await($caller); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$g->awaitCompletion();
echo $g->getResults()[0], "\n";
?>
--EXPECT--
Coroutine cancelled
ends
