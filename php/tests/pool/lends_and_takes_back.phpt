--TEST--
A pool creates resources up to max, and lends released ones again
--FILE--
<?php
class R { public static $made = 0; public $id; public function __construct() { $this->id = ++self::$made; } }
$pool = new Async\Pool(fn () => new R, min: 1, max: 2);
var_dump(count($pool), $pool->idleCount(), R::$made);
$a = $pool->acquire(); $b = $pool->acquire();
var_dump($a->id, $b->id, $pool->activeCount(), $pool->tryAcquire());
$pool->release($a);
var_dump($pool->idleCount(), $pool->acquire() === $a);
?>
--EXPECT--
int(1)
int(1)
int(1)
int(1)
int(2)
int(2)
NULL
int(1)
bool(true)
