--TEST--
A health check may drop the last variable of its pool
--FILE--
<?php
$done = new Async\Future($state = new Async\FutureState);
$pool = new Async\Pool(fn () => new stdClass, fn () => print("destroyed\n"),
    healthcheck: function () use (&$pool, $state) { try { $pool = null; Async\suspend(); } finally { $state->complete(null); } return true; }, min: 2, healthcheckInterval: 1);
$done->await(Async\timeout(30000));
echo "end\n";
?>
--EXPECT--
destroyed
destroyed
end
