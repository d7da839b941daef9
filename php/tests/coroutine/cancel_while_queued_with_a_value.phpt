--TEST--
R-CAN-6: a coroutine that was woken with a value and is then cancelled does not get the value
--FILE--
<?php
use Async\{AsyncCancellation, FutureState, Future};
use function Async\{spawn, suspend};
$s = new FutureState;
$f = new Future($s);
$c = spawn(function () use ($f) { try { echo $f->await(), "\n"; } catch (AsyncCancellation) { echo "cancelled\n"; } });
suspend();
$s->complete('value');
$c->cancel();
suspend();
?>
--EXPECT--
cancelled
