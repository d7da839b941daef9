--TEST--
Signals have the numbers of Linux
--FILE--
<?php
use Async\Signal;
foreach (Signal::cases() as $case) echo $case->name, '=', $case->value, "\n";
?>
--EXPECT--
SIGHUP=1
SIGINT=2
SIGQUIT=3
SIGILL=4
SIGABRT=6
SIGFPE=8
SIGKILL=9
SIGUSR1=10
SIGSEGV=11
SIGUSR2=12
SIGTERM=15
SIGBREAK=21
SIGABRT2=22
SIGWINCH=28
