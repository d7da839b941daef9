--TEST--
R-RPL-10: a waiter whose time is over leaves the queue to the next
--FILE--
<?php
use function Async\{await, spawn, suspend};
$pool = new Async\Pool(fn () => new stdClass, max: 1);
$r = $pool->acquire();
$first = spawn(fn () => $pool->acquire(1));
$second = spawn(fn () => $pool->acquire());
try { await($first); } catch (Async\TimeoutException $e) { echo get_class($e), "\n"; }
$pool->release($r);
var_dump(await($second) === $r);
?>
--EXPECT--
Async\TimeoutException
bool(true)
