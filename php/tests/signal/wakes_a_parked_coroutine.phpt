--TEST--
A coroutine that waits for a signal lets the others run
--FILE--
<?php
use Async\Signal;
use function Async\{spawn, suspend, await, signal};
$c = spawn(function () { echo "waits\n"; echo await(signal(Signal::SIGUSR1))->name, "\n"; });
suspend();
echo "main\n";
exec('kill -USR1 ' . getmypid());
await($c);
?>
--EXPECT--
waits
main
SIGUSR1
