--TEST--
R-RPL-8: a resource that is not healthy is replaced when there are fewer than min
--FILE--
<?php
$n = 0;
$replaced = new Async\Future($state = new Async\FutureState);
$pool = new Async\Pool(function () use (&$n, $state) { $r = new stdClass; $r->id = ++$n; if ($n === 2) $state->complete(null); return $r; },
    fn ($r) => print("destroyed $r->id\n"), healthcheck: fn ($r) => $r->id > 1, min: 1, healthcheckInterval: 1);
$replaced->await(Async\timeout(30000));
Async\suspend();
$r = $pool->acquire();
echo "idle: $r->id\n";
$pool->close();
$pool->release($r);
?>
--EXPECT--
destroyed 1
idle: 2
destroyed 2
