--TEST--
count() is the sum of idle and active resources
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, min: 2, max: 4);
$show = fn () => print(count($pool) . ' ' . $pool->idleCount() . ' ' . $pool->activeCount() . "\n");
$show();
$a = $pool->acquire(); $b = $pool->acquire(); $c = $pool->acquire();
$show();
$pool->release($b);
$show();
?>
--EXPECT--
2 2 0
3 0 3
3 1 2
