--TEST--
D-5: a coroutine of high priority goes to the head at each wake-up
--FILE--
<?php
use Async\{FutureState, Future};
use function Async\{spawn, suspend};
$s = new FutureState;
$f = new Future($s);
$high = spawn(function () use ($f) { $f->await(); echo "high\n"; })->asHiPriority();
suspend();
spawn(fn () => print("low\n"));
$s->complete(null);
suspend();
?>
--EXPECT--
high
low
