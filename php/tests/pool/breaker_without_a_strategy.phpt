--TEST--
Without a strategy a deactivated pool refuses until it is activated or recovered
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, min: 1);
$pool->deactivate();
try { $pool->acquire(); } catch (Async\ServiceUnavailableException $e) { echo $e->getMessage(), "\n"; }
var_dump($pool->tryAcquire());
$pool->recover();
var_dump(is_object($r = $pool->acquire()), $pool->getState()->name);
$pool->deactivate();
$pool->release($r);
$pool->activate();
var_dump($pool->acquire() === $r);
?>
--EXPECT--
Service is unavailable (circuit breaker is open)
NULL
bool(true)
string(10) "RECOVERING"
bool(true)
