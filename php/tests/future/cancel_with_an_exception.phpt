--TEST--
The exception given to cancel() reaches those that wait
--FILE--
<?php
use function Async\{await, spawn, suspend};
$future = new Async\Future($state = new Async\FutureState);
$waiter = spawn(fn () => $future->await());
suspend();
$future->cancel($reason = new Async\AsyncCancellation('mine'));
try { await($waiter); } catch (Async\AsyncCancellation $e) { var_dump($e === $reason); }
var_dump($future->isCancelled(), $state->isCompleted());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
