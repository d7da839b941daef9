--TEST--
A dropped future gives the signal back to the engine, which ends the process
--FILE--
<?php
use Async\Signal;
use function Async\{delay, signal};
$f = signal(Signal::SIGTERM);
$f->ignore();
unset($f);
echo "before\n";
exec('kill -TERM ' . getmypid());
delay(60000);
echo "never\n";
?>
--EXPECTF--
before
%ATermsig=15%A
