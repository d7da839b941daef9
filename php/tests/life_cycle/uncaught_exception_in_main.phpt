--TEST--
An uncaught exception in main cancels all coroutines and waits for them
--FILE--
<?php
use function Async\{spawn, delay, suspend};
spawn(function () { try { delay(60000); } finally { echo "finally\n"; } });
suspend();
throw new Exception('of main');
?>
--EXPECTF--
Fatal error: Uncaught Exception: of main in %suncaught_exception_in_main.php:5
Stack trace:
#0 {main}
  thrown in %s on line 5
finally
