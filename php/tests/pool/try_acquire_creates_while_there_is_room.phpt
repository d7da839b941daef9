--TEST--
tryAcquire() creates a resource while there is room, and gives null then
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, max: 2);
var_dump(is_object($pool->tryAcquire()), is_object($pool->tryAcquire()), $pool->tryAcquire(), $pool->activeCount());
?>
--EXPECT--
bool(true)
bool(true)
NULL
int(2)
