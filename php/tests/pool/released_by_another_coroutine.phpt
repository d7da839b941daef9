--TEST--
A resource may be released by another coroutine than the one that acquired it
--FILE--
<?php
use function Async\{await, spawn};
$pool = new Async\Pool(fn () => new stdClass, max: 1);
$r = await(spawn(fn () => $pool->acquire()));
await(spawn(fn () => $pool->release($r)));
var_dump($pool->idleCount(), $pool->activeCount());
?>
--EXPECT--
int(1)
int(0)
