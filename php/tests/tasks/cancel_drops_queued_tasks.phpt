--TEST--
R-TGR-5: queued tasks of a cancelled group never start
--FILE--
<?php
use function Async\{delay, suspend};
$g = new Async\TaskGroup(concurrency: 1, queueLimit: 0);
$g->spawn(function () { try { delay(60000); } finally { echo "running one is cancelled\n"; } });
$g->spawn(fn () => print("never\n"));
$g->spawn(fn () => print("never\n"));
suspend();
$g->cancel();
$g->awaitCompletion();
var_dump($g->isFinished());
?>
--EXPECT--
running one is cancelled
bool(true)
