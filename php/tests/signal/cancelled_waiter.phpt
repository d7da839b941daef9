--TEST--
A coroutine that is cancelled while it waits for a signal ends
--FILE--
<?php
use Async\Signal;
use function Async\{spawn, suspend, await, signal};
require __DIR__ . '/../says.inc';
$c = spawn(fn () => await(signal(Signal::SIGUSR1)));
suspend();
$c->cancel();
says(fn () => await($c));
?>
--EXPECT--
Async\AsyncCancellation: Coroutine cancelled
