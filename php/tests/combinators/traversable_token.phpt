--TEST--
A token ends the wait though the iterator is suspended
--FILE--
<?php
use function Async\{spawn, delay, await_all, timeout};
require __DIR__ . '/../says.inc';
function never() { yield spawn(fn () => 1); delay(60000); }
says(fn () => await_all(never(), timeout(2)));
?>
--EXPECT--
Async\OperationCanceledException: Operation has been cancelled
