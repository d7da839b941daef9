--TEST--
O-7: a coroutine cancelled before its start never runs
--FILE--
<?php
use function Async\{spawn, suspend, await};
$c = spawn(function () { echo "never\n"; });
$c->cancel();
var_dump($c->isCancellationRequested(), $c->isCancelled());
suspend();
var_dump($c->isCompleted(), $c->isCancelled());
try { await($c); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(true)
Coroutine cancelled
