--TEST--
The states of a coroutine: queued, suspended, completed
--FILE--
<?php
use function Async\{spawn, await, suspend};
$show = fn ($c) => implode(' ', array_keys(array_filter(['started' => $c->isStarted(), 'queued' => $c->isQueued(), 'running' => $c->isRunning(), 'suspended' => $c->isSuspended(), 'completed' => $c->isCompleted(), 'cancelled' => $c->isCancelled()])));
$gate = new Async\FutureState;
$future = new Async\Future($gate);
$c = spawn(function () use ($future, $show, &$c) { echo 'inside: ', $show($c), "\n"; suspend(); $future->await(); return 1; });
echo 'spawned: ', $show($c), "\n";
suspend();
echo 'yielded: ', $show($c), "\n";
suspend();
echo 'parked: ', $show($c), "\n";
$gate->complete(null);
await($c);
echo 'done: ', $show($c), "\n";
?>
--EXPECT--
spawned: queued suspended
inside: started running
yielded: started queued running suspended
parked: started running suspended
done: started completed
