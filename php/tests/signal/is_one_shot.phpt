--TEST--
A future of a signal resolves once: a second delivery needs a second call
--FILE--
<?php
use Async\Signal;
use function Async\{await, signal};
$first = signal(Signal::SIGUSR1);
$second = signal(Signal::SIGUSR1);
exec('kill -USR1 ' . getmypid());
await($first); await($second);
$third = signal(Signal::SIGUSR1);
var_dump($third->isCompleted());
exec('kill -USR1 ' . getmypid());
var_dump(await($third)->value);
?>
--EXPECT--
bool(false)
int(10)
