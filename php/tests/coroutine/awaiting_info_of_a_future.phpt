--TEST--
getAwaitingInfo() names the future that is awaited
--FILE--
<?php
use Async\{FutureState, Future};
use function Async\{spawn, suspend};
$s = new FutureState;
$f = new Future($s);
$c = spawn(fn () => $f->await());
suspend();
echo $c->getAwaitingInfo()[0], "\n";
$s->complete(1);
?>
--EXPECT--
FutureState(pending)
