--TEST--
The exception given to cancel() reaches the coroutines and the waiters
--FILE--
<?php
use function Async\{delay, suspend, timeout};
$s = new Async\Scope;
$reason = new Async\AsyncCancellation('mine');
$s->spawn(function () use ($reason) { try { delay(10000); } catch (Async\AsyncCancellation $e) { var_dump($e === $reason); throw $e; } });
suspend();
$s->cancel($reason);
$s->awaitAfterCancellation();
try { $s->awaitCompletion(timeout(100)); } catch (Async\AsyncCancellation $e) { var_dump($e === $reason); }
try { $s->cancel(new Exception); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
bool(true)
bool(true)
Async\Scope::cancel(): Argument #1 ($cancellationError) must be of type ?Async\AsyncCancellation, Exception given
