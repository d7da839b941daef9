--TEST--
acquire() waits until a resource is released, and gets that one
--FILE--
<?php
use function Async\{await, spawn, suspend};
$pool = new Async\Pool(fn () => new stdClass, max: 1);
$r = $pool->acquire();
$waiter = spawn(function () use ($pool) { echo "waits\n"; $got = $pool->acquire(); echo "served\n"; return $got; });
suspend();
echo "releases\n";
$pool->release($r);
var_dump($pool->tryAcquire(), await($waiter) === $r);
?>
--EXPECT--
waits
releases
served
NULL
bool(true)
