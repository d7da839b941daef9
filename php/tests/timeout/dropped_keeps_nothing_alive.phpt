--TEST--
A timeout that is dropped unused keeps nothing alive
--FILE--
<?php
use function Async\{suspend, timeout};
$start = hrtime(true);
timeout(30000);
suspend();
register_shutdown_function(function () use ($start) { var_dump((hrtime(true) - $start) / 1e9 < 10); });
?>
--EXPECT--
bool(true)
