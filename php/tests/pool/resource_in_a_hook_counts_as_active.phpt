--TEST--
R-RPL-3: a resource inside a hook counts as active
--FILE--
<?php
$pool = null;
$pool = new Async\Pool(fn () => new stdClass, min: 1,
    beforeAcquire: function () use (&$pool) { echo 'acquire: ', $pool->idleCount(), ' ', $pool->activeCount(), "\n"; },
    beforeRelease: function () use (&$pool) { echo 'release: ', $pool->idleCount(), ' ', $pool->activeCount(), "\n"; });
$pool->release($pool->acquire());
echo 'after: ', $pool->idleCount(), ' ', $pool->activeCount(), "\n";
?>
--EXPECT--
acquire: 0 1
release: 0 1
after: 1 0
