--TEST--
A finally block that throws while cancelled fails the coroutine with that exception, the cancellation as previous
--FILE--
<?php
use function Async\{spawn, suspend, delay, await};
$c = spawn(function () { try { delay(60000); } finally { throw new LogicException('in finally'); } });
suspend();
$c->cancel();
try { await($c); } catch (LogicException $e) { echo $e->getMessage(), ' after ', get_class($e->getPrevious()), "\n"; }
?>
--EXPECT--
in finally after Async\AsyncCancellation
