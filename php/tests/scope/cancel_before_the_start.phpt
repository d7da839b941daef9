--TEST--
R-CAN-4: coroutines of a cancelled scope that have not started never run
--FILE--
<?php
use function Async\{await, suspend};
$s = new Async\Scope;
$c = $s->spawn(fn () => print("never\n"));
$s->cancel();
try { await($c); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
var_dump($c->isCancelled(), $s->isFinished());
?>
--EXPECT--
Scope was cancelled
bool(true)
bool(true)
