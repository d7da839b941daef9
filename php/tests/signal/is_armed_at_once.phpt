--TEST--
signal() listens from the call on, not from the await
--FILE--
<?php
use Async\Signal;
use function Async\{delay, await, signal};
$f = signal(Signal::SIGTERM);
shell_exec('kill -TERM ' . getmypid());
delay(1);
var_dump($f->isCompleted(), await($f)->name);
?>
--EXPECT--
bool(true)
string(7) "SIGTERM"
