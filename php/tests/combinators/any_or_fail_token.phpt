--TEST--
A token ends await_any_or_fail()
--FILE--
<?php
use Async\OperationCanceledException;
use function Async\{spawn, delay, await_any_or_fail, timeout};
$slow = spawn(fn () => delay(60000));
try { await_any_or_fail([$slow], timeout(1)); } catch (OperationCanceledException $e) { echo $e->getPrevious()->getMessage(), "\n"; }
$slow->cancel();
?>
--EXPECT--
Timeout occurred after 1 milliseconds
