--TEST--
A failure that nothing has read is reported at the end of the script, also if an object is held to the end
--FILE--
<?php
use function Async\{spawn, suspend};
class Holder { public static $failed; }
Holder::$failed = spawn(fn () => throw new Exception('not read'));
register_shutdown_function(fn () => print("shutdown\n"));
?>
--EXPECTF--
shutdown

Fatal error: Uncaught Exception: not read in %s:4
Stack trace:
%A
  thrown in %s on line 4
