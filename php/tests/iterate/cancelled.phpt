--TEST--
A cancellation of the caller ends the iteration
--FILE--
<?php
use function Async\{iterate, spawn, await, delay, suspend};
$c = spawn(fn () => iterate([1, 2], function ($x) { try { delay(60000); } finally { echo "cleaned up $x\n"; } }));
suspend(); suspend();
$c->cancel();
try { await($c); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECTF--
cleaned up %d
cleaned up %d
Coroutine cancelled
