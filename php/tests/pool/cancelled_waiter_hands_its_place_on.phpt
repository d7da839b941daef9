--TEST--
R-RPL-10: a waiter that is cancelled before it runs hands its place to the next
--FILE--
<?php
use function Async\{await, spawn, suspend};
$pool = new Async\Pool(fn () => new stdClass, max: 1);
$r = $pool->acquire();
$first = spawn(fn () => $pool->acquire());
$second = spawn(fn () => $pool->acquire());
suspend();
$pool->release($r);
$first->cancel();
try { await($first); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
var_dump(await($second) === $r);
?>
--EXPECT--
Coroutine cancelled
bool(true)
