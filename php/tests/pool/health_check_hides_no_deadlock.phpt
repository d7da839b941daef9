--TEST--
R-DLK-9: the timer of health checks does not hide a deadlock
--FILE--
<?php
ini_set('async.debug_deadlock', '0');
$pool = new Async\Pool(fn () => new stdClass, healthcheck: fn () => true, min: 1, healthcheckInterval: 1);
(new Async\Channel)->recv();
?>
--EXPECTF--
%AFatal error: Uncaught Async\DeadlockError: Deadlock detected: no active coroutines, %d coroutines in waiting in %A
