--TEST--
close() destroys idle resources, and the others when they are released
--FILE--
<?php
$n = 0;
$pool = new Async\Pool(function () use (&$n) { $r = new stdClass; $r->name = 'r' . ++$n; return $r; }, function ($r) { echo "destroyed $r->name\n"; });
$a = $pool->acquire();
$pool->release($pool->acquire());
$pool->close();
var_dump($pool->isClosed(), $pool->tryAcquire());
try { $pool->acquire(); } catch (Async\PoolException $e) { echo $e->getMessage(), "\n"; }
$pool->release($a);
?>
--EXPECT--
destroyed r2
bool(true)
NULL
Pool is closed
destroyed r1
