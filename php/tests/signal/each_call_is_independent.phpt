--TEST--
Two futures of one signal both resolve with the first delivery
--FILE--
<?php
use Async\Signal;
use function Async\{await, signal};
$a = signal(Signal::SIGUSR2);
$b = signal(Signal::SIGUSR2);
exec('kill -USR2 ' . getmypid());
echo await($a)->name, ' ', await($b)->name, "\n";
?>
--EXPECT--
SIGUSR2 SIGUSR2
