--TEST--
dispose() cancels the tasks of a set
--FILE--
<?php
use function Async\{delay, suspend};
$s = new Async\TaskSet;
$s->spawn(function () { try { delay(60000); } finally { echo "cancelled\n"; } });
suspend();
$s->dispose();
suspend();
var_dump($s->isFinished());
?>
--EXPECT--
cancelled
bool(true)
