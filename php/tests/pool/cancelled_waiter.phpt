--TEST--
A cancelled waiter leaves the queue
--FILE--
<?php
use function Async\{spawn, await, suspend};
$pool = new Async\Pool(fn () => new stdClass, max: 1);
$r = $pool->acquire();
$c = spawn(fn () => $pool->acquire());
suspend();
$c->cancel();
try { await($c); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$pool->release($r);
var_dump($pool->idleCount());
?>
--EXPECT--
Coroutine cancelled
int(1)
