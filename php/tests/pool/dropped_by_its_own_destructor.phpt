--TEST--
A destructor of a resource may drop the last variable of its pool
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, function () use (&$pool) { $pool = null; Async\suspend(); echo "destroyed\n"; }, beforeAcquire: fn () => false, min: 1, max: 1);
var_dump(is_object($pool->tryAcquire()), $pool);
?>
--EXPECT--
destroyed
destroyed
bool(true)
NULL
