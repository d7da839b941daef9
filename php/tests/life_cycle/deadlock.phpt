--TEST--
O-12: a deadlock is reported, delivered to each coroutine, and ends the script
--FILE--
<?php
use function Async\{spawn, await, suspend};
$a = $b = null;
$a = spawn(function () use (&$b) { try { await($b); } catch (Async\AsyncCancellation $e) { echo "A: ", $e->getMessage(), "\n"; suspend(); echo "A ends\n"; } });
$b = spawn(function () use (&$a) { try { await($a); } catch (Async\AsyncCancellation $e) { echo "B: ", $e->getMessage(), "\n"; suspend(); echo "B ends\n"; } });
?>
--EXPECTF--
=== DEADLOCK REPORT START ===
Coroutines waiting: 2, active_events: 0

Coroutine %d spawned at %s:4, suspended at %s:4 ({closure})
  waiting for:
    - Coroutine %d spawned at %s:5, suspended at %s:5 ({closure})

Coroutine %d spawned at %s:5, suspended at %s:5 ({closure})
  waiting for:
    - Coroutine %d spawned at %s:4, suspended at %s:4 ({closure})

=== DEADLOCK REPORT END   ===

B: Deadlock detected
A: Deadlock detected
B ends
A ends

Fatal error: Uncaught Async\DeadlockError: Deadlock detected: no active coroutines, 2 coroutines in waiting in [no active file]:0
Stack trace:
#0 {main}
  thrown in [no active file] on line 0
