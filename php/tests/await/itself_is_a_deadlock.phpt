--TEST--
A coroutine that awaits itself is a deadlock
--INI--
async.debug_deadlock=0
--FILE--
<?php
use function Async\{spawn, suspend, await};
$c = null;
$c = spawn(function () use (&$c) { await($c); });
suspend();
?>
--EXPECTF--
%AFatal error: Uncaught Async\DeadlockError: Deadlock detected: no active coroutines, 1 coroutines in waiting in [no active file]:0
Stack trace:
#0 {main}
  thrown in [no active file] on line 0
