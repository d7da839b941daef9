--TEST--
A token or a cancellation ends the wait
--FILE--
<?php
use function Async\{spawn, await, await_all, await_all_or_fail, delay, timeout, suspend};
$slow = spawn(fn () => delay(60000));
try { await_all([$slow], timeout(1)); } catch (Async\OperationCanceledException $e) { echo get_class($e->getPrevious()), "\n"; }
$c = spawn(fn () => await_all_or_fail([$slow]));
suspend();
$c->cancel();
try { await($c); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
var_dump($slow->isCompleted());
$slow->cancel();
?>
--EXPECT--
Async\TimeoutException
Coroutine cancelled
bool(false)
