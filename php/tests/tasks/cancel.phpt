--TEST--
cancel() closes the group and cancels its tasks; it is finished when they have ended
--FILE--
<?php
use function Async\{delay, suspend};
$g = new Async\TaskGroup;
$g->spawn(function () { try { delay(60000); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; suspend(); throw $e; } });
suspend();
$g->cancel();
var_dump($g->isClosed(), $g->isFinished());
$g->awaitCompletion();
var_dump($g->isFinished());
?>
--EXPECT--
bool(true)
bool(false)
TaskGroup cancelled
bool(true)
