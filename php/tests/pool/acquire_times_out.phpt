--TEST--
acquire() throws TimeoutException when its time is over
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, max: 1);
$r = $pool->acquire();
try { $pool->acquire(2); } catch (Async\TimeoutException $e) { echo $e->getMessage(), "\n"; }
try { $pool->acquire(-1); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Operation has been cancelled by timeout
Async\Pool::acquire(): Argument #1 ($timeout) must be >= 0
