--TEST--
cancel() ends the waits for a future
--FILE--
<?php
use function Async\{spawn, suspend};
$future = new Async\Future($state = new Async\FutureState);
spawn(function () use ($future) { try { $future->await(); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; } });
suspend();
$future->cancel();
?>
--EXPECT--
Future has been cancelled
