--TEST--
R-RPL-3: a resource for which beforeAcquire throws is destroyed, and the next is tried
--FILE--
<?php
$n = 0;
$pool = new Async\Pool(function () use (&$n) { $r = new stdClass; $r->id = ++$n; return $r; }, fn ($r) => print("destroyed $r->id\n"),
    beforeAcquire: fn ($r) => $r->id < 3 ? throw new Exception('stale') : true, min: 3);
$r = $pool->acquire();
echo "acquired $r->id\n";
var_dump(count($pool));
$pool->close();
$pool->release($r);
?>
--EXPECT--
destroyed 1
destroyed 2
acquired 3
int(1)
destroyed 3
