--TEST--
A fatal error in main drops the coroutines
--FILE--
<?php
use function Async\{spawn, delay, suspend};
register_shutdown_function(fn () => print("shutdown function\n"));
spawn(function () { try { delay(60000); } finally { echo "no finally\n"; } });
suspend();
trigger_error('fatal', E_USER_ERROR);
?>
--EXPECTF--
Fatal error: fatal in %s on line 6
shutdown function
