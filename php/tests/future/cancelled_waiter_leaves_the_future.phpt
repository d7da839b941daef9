--TEST--
A waiter that is cancelled leaves the future pending for the others
--FILE--
<?php
use function Async\{await, spawn, suspend};
$future = new Async\Future($state = new Async\FutureState);
$first = spawn(fn () => $future->await());
$second = spawn(fn () => $future->await());
suspend();
$first->cancel();
try { await($first); } catch (Async\AsyncCancellation) { echo "cancelled\n"; }
var_dump($future->isCompleted());
$state->complete('v');
var_dump(await($second));
?>
--EXPECT--
cancelled
bool(false)
string(1) "v"
