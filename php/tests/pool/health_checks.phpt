--TEST--
A resource that is not healthy is destroyed between its uses
--FILE--
<?php
$n = 0;
$destroyed = new Async\Future($state = new Async\FutureState);
$pool = new Async\Pool(function () use (&$n) { $r = new stdClass; $r->id = ++$n; return $r; }, function ($r) use ($state) { echo "destroyed $r->id\n"; if ($r->id === 1) $state->complete(null); },
    healthcheck: fn ($r) => $r->id > 1, healthcheckInterval: 1);
$pool->release($pool->acquire());
$destroyed->await(Async\timeout(30000));
$r = $pool->acquire();
echo "acquired $r->id\n";
$pool->release($r);
$pool->close();
?>
--EXPECT--
destroyed 1
acquired 2
destroyed 2
