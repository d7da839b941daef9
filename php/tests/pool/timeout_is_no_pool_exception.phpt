--TEST--
The exception of a timeout is neither a PoolException nor an AsyncException
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, max: 1);
$r = $pool->acquire();
try { $pool->acquire(1); } catch (Async\AsyncException) { echo "AsyncException\n"; } catch (Async\TimeoutException) { echo "TimeoutException\n"; }
?>
--EXPECT--
TimeoutException
