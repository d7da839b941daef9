--TEST--
close() ends the waits for a resource
--FILE--
<?php
use function Async\{spawn, suspend};
$pool = new Async\Pool(fn () => new stdClass, max: 1);
$r = $pool->acquire();
spawn(function () use ($pool) { try { $pool->acquire(); } catch (Async\PoolException $e) { echo $e->getMessage(), "\n"; } });
suspend();
$pool->close();
?>
--EXPECT--
Pool is closed
