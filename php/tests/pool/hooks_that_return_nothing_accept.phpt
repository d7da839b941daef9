--TEST--
A hook that returns nothing accepts the resource
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, beforeAcquire: function () {}, beforeRelease: function () {});
$r = $pool->acquire();
$pool->release($r);
var_dump($pool->acquire() === $r);
?>
--EXPECT--
bool(true)
