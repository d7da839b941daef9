--TEST--
R-CAN-15: a cancellation that a coroutine throws reaches no handler and cancels nothing
--FILE--
<?php
use function Async\timeout;
$s = new Async\Scope;
$s->setExceptionHandler(fn () => print("never\n"));
$s->spawn(fn () => throw new Async\AsyncCancellation('quiet'));
$s->awaitCompletion(timeout(5000));
var_dump($s->isCancelled());
?>
--EXPECT--
bool(false)
