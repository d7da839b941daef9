--TEST--
A fatal error after main has ended drops the others and runs the shutdown functions
--FILE--
<?php
use function Async\{spawn, delay};
register_shutdown_function(fn () => print("shutdown function\n"));
spawn(function () { try { delay(60000); } finally { echo "no finally\n"; } });
spawn(function () { delay(1); trigger_error('fatal', E_USER_ERROR); });
echo "main\n";
?>
--EXPECTF--
main

Fatal error: fatal in %s on line 5
shutdown function
