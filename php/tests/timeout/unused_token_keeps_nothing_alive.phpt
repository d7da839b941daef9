--TEST--
The timeout of a wait that was in time keeps nothing alive
--FILE--
<?php
use function Async\{spawn, suspend, await, timeout};
$start = hrtime(true);
await(spawn(fn () => suspend()), timeout(30000));
register_shutdown_function(function () use ($start) { var_dump((hrtime(true) - $start) / 1e9 < 10); });
?>
--EXPECT--
bool(true)
