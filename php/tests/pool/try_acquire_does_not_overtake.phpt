--TEST--
R-RPL-9: tryAcquire() does not take what is reserved for a waiter
--FILE--
<?php
use function Async\{await, spawn, suspend};
$pool = new Async\Pool(fn () => new stdClass, max: 1);
$r = $pool->acquire();
$waiter = spawn(fn () => $pool->acquire());
suspend();
$pool->release($r);
var_dump($pool->tryAcquire(), await($waiter) === $r);
?>
--EXPECT--
NULL
bool(true)
