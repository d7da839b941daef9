--TEST--
Only what is on loan can be released
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass);
$r = $pool->acquire();
$pool->release($r);
foreach ([$r, new stdClass] as $wrong) {
    try { $pool->release($wrong); } catch (Async\PoolException $e) { echo $e->getMessage(), "\n"; }
}
?>
--EXPECT--
The resource is not on loan from this pool
The resource is not on loan from this pool
