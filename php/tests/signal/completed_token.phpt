--TEST--
A token that completed without an exception rejects the future with an AsyncCancellation
--FILE--
<?php
use Async\Signal;
use function Async\{spawn, await, signal};
require __DIR__ . '/../says.inc';
$token = spawn(fn () => 1);
says(fn () => await(signal(Signal::SIGUSR1, $token)));
?>
--EXPECT--
Async\AsyncCancellation: Signal wait cancelled
