--TEST--
A cancellation that nothing catches ends main silently
--FILE--
<?php
use function Async\{spawn, await, delay};
$c = spawn(fn () => delay(10000));
$c->cancel();
register_shutdown_function(fn () => print("shutdown function\n"));
await($c);
echo "never\n";
?>
--EXPECT--
shutdown function
