--TEST--
R-RPL-8: only idle resources are examined
--FILE--
<?php
$n = 0;
$seen = [];
$checked = new Async\Future($state = new Async\FutureState);
$pool = new Async\Pool(function () use (&$n) { $r = new stdClass; $r->id = ++$n; return $r; },
    healthcheck: function ($r) use (&$seen, $state) { $seen[$r->id] = true; if (!$state->isCompleted()) $state->complete(null); return true; },
    healthcheckInterval: 1);
$active = $pool->acquire();
$pool->release($pool->acquire());
$checked->await(Async\timeout(30000));
Async\delay(5);
echo implode(' ', array_keys($seen)), "\n";
?>
--EXPECT--
2
