--TEST--
What a handler of pcntl_signal() throws while all coroutines wait ends the script
--EXTENSIONS--
pcntl
--FILE--
<?php
use function Async\{delay, spawn};
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, fn () => throw new Exception('interrupted'));
$raiser = proc_open(['sh', '-c', 'read line; kill -USR1 ' . getmypid()], [['pipe', 'r']], $pipes);
spawn(function () { try { delay(10000); } finally { echo "cleaned up\n"; } });
spawn(fn () => fwrite($pipes[0], "now\n"));
try { delay(10000); } finally { echo "main too\n"; }
?>
--EXPECTF--
cleaned up
main too

Fatal error: Uncaught Exception: interrupted in %s:%d
Stack trace:
%a
