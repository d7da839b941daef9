--TEST--
O-16: an unhandled exception cancels the others gracefully, then ends the script
--FILE--
<?php
use function Async\{spawn, delay, suspend};
register_shutdown_function(fn () => print("shutdown function\n"));
spawn(function () { try { delay(60000); } finally { echo "finally\n"; } });
spawn(function () { suspend(); throw new RuntimeException('unhandled'); });
?>
--EXPECTF--
finally

Fatal error: Uncaught RuntimeException: unhandled in %s:5
Stack trace:
#0 [internal function]: {closure}()
#1 {main}
  thrown in %s on line 5
shutdown function
