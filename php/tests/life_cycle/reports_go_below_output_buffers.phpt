--TEST--
The deadlock report and warnings of the runtime are printed, not put into the buffer of the coroutine that goes on next
--FILE--
<?php
use function Async\{spawn, await, suspend};
spawn(function () {
    ob_start();
    spawn(function () { (function () { Async\Future::failed(new Exception('unread')); })(); });
    suspend();
    $text = ob_get_clean();
    echo "in the first buffer: '$text'\n";
});
$stuck = spawn(function () use (&$stuck) {
    ob_start();
    try { await($stuck); } catch (Async\AsyncCancellation) {}
    $text = ob_get_clean();
    echo "in the second buffer: '$text'\n";
});
?>
--EXPECTF--
Warning: Unhandled exception in Future: unread; %a
in the first buffer: ''

=== DEADLOCK REPORT START ===
%a
=== DEADLOCK REPORT END%ain the second buffer: ''

Fatal error: Uncaught Async\DeadlockError: %a
