--TEST--
async.debug_deadlock=0 prints no report
--INI--
async.debug_deadlock=0
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(function () use (&$c) { await($c); });
?>
--EXPECTF--
Fatal error: Uncaught Async\DeadlockError: Deadlock detected: no active coroutines, 1 coroutines in waiting in [no active file]:0
Stack trace:
#0 {main}
  thrown in [no active file] on line 0
