--TEST--
A future that is failed with a cancellation counts as cancelled
--FILE--
<?php
$future = new Async\Future($state = new Async\FutureState);
$state->error(new Async\AsyncCancellation('by the state'));
var_dump($future->isCancelled());
try { $future->await(); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$failed = Async\Future::failed(new Exception)->ignore();
var_dump($failed->isCompleted(), $failed->isCancelled());
?>
--EXPECT--
bool(true)
by the state
bool(true)
bool(false)
