--TEST--
beforeAcquire and beforeRelease reject with false or an exception
--FILE--
<?php
$n = 0; $good = true;
$pool = new Async\Pool(function () use (&$n) { $o = new stdClass; $o->id = ++$n; return $o; }, fn ($r) => print("destroy $r->id\n"),
    beforeAcquire: function ($r) use (&$good) { return $good; }, beforeRelease: fn ($r) => $r->id === 2 ? throw new Exception('bad') : true);
$a = $pool->acquire();
$pool->release($a);
$good = false;
$b = $pool->acquire();
var_dump($b->id);
$pool->release($b);
var_dump(count($pool));
?>
--EXPECT--
destroy 1
int(2)
destroy 2
int(0)
