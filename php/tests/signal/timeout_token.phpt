--TEST--
A timeout rejects the future of a signal with its own TimeoutException
--FILE--
<?php
use Async\Signal;
use function Async\{await, timeout, signal};
require __DIR__ . '/../says.inc';
says(fn () => await(signal(Signal::SIGUSR1, timeout(2))));
?>
--EXPECT--
Async\TimeoutException: Timeout occurred after 2 milliseconds
