--TEST--
cancel() closes a set and cancels its tasks
--FILE--
<?php
use function Async\{delay, suspend};
$s = new Async\TaskSet(concurrency: 1);
$s->spawn(function () { try { delay(60000); } finally { echo "cancelled\n"; } });
$s->spawn(fn () => print("never\n"));
suspend();
$s->cancel();
var_dump($s->isClosed(), $s->isFinished());
$s->awaitCompletion();
var_dump($s->isFinished());
?>
--EXPECT--
bool(true)
bool(false)
cancelled
bool(true)
