--TEST--
A failure that nothing has read after a fatal error is dropped with the runtime
--FILE--
<?php
use function Async\{spawn, suspend};
class Holder { public static $failed; }
new Async\Future(new Async\FutureState);
Holder::$failed = spawn(function () { throw new Exception('not read'); });
suspend();
trigger_error('fatal', E_USER_ERROR);
?>
--EXPECTF--

Warning: Unhandled exception in Future: %a

Fatal error: fatal in %s on line 7
