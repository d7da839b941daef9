--TEST--
A delay that was cancelled does not keep the script alive
--FILE--
<?php
use function Async\{spawn, suspend, delay};
$t = hrtime(true);
$c = spawn(fn () => delay(20000));
suspend();
$c->cancel();
register_shutdown_function(function () use ($t) { var_dump((hrtime(true) - $t) / 1e9 < 10); });
?>
--EXPECT--
bool(true)
