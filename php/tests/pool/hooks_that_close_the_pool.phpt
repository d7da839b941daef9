--TEST--
A hook may close the pool it belongs to
--FILE--
<?php
$pool = null;
$pool = new Async\Pool(fn () => new stdClass, fn () => print("destroyed\n"), beforeAcquire: function () use (&$pool) { $pool->close(); return true; }, min: 1);
try { $r = $pool->acquire(); echo "acquired\n"; $pool->release($r); } catch (Async\PoolException $e) { echo $e->getMessage(), "\n"; }
var_dump($pool->isClosed(), count($pool));
?>
--EXPECTF--
%A
bool(true)
int(0)
