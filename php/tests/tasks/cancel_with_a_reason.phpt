--TEST--
The exception given to cancel() reaches the tasks
--FILE--
<?php
use function Async\{delay, suspend};
$g = new Async\TaskGroup;
$reason = new Async\AsyncCancellation('mine');
$g->spawn(function () use ($reason) { try { delay(60000); } catch (Async\AsyncCancellation $e) { var_dump($e === $reason); throw $e; } });
suspend();
$g->cancel($reason);
$g->awaitCompletion();
?>
--EXPECT--
bool(true)
