--TEST--
signal() resolves with the case of the signal that came
--FILE--
<?php
use Async\Signal;
use function Async\{await, signal};
$f = signal(Signal::SIGUSR1);
exec('kill -USR1 ' . getmypid());
var_dump(await($f) === Signal::SIGUSR1);
?>
--EXPECT--
bool(true)
