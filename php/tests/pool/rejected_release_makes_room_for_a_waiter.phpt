--TEST--
R-RPL-4: when a released resource is rejected, a waiter gets a new one
--FILE--
<?php
use function Async\{await, spawn, suspend};
$n = 0;
$pool = new Async\Pool(function () use (&$n) { $r = new stdClass; $r->id = ++$n; return $r; }, beforeRelease: fn () => false, max: 1);
$r = $pool->acquire();
$waiter = spawn(fn () => $pool->acquire());
suspend();
$pool->release($r);
var_dump(await($waiter)->id);
?>
--EXPECT--
int(2)
