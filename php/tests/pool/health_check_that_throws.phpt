--TEST--
R-RPL-8: a health check that throws counts as not healthy
--FILE--
<?php
$destroyed = new Async\Future($state = new Async\FutureState);
$pool = new Async\Pool(fn () => new stdClass, fn () => $state->isCompleted() || $state->complete(null),
    healthcheck: fn () => throw new Exception('gone'), healthcheckInterval: 1);
$pool->release($pool->acquire());
$destroyed->await(Async\timeout(30000));
Async\suspend();
var_dump(count($pool));
?>
--EXPECT--
int(0)
