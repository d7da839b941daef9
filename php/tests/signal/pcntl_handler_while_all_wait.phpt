--TEST--
A handler of pcntl_signal() runs while all coroutines wait in functions of the API
--EXTENSIONS--
pcntl
--FILE--
<?php
use function Async\{await, spawn, timeout};
pcntl_async_signals(true);
$state = new Async\FutureState;
pcntl_signal(SIGUSR1, function (int $number) use ($state) { $state->complete($number); });
$raiser = proc_open(['sh', '-c', 'read line; kill -USR1 ' . getmypid()], [['pipe', 'r']], $pipes);
$waiting = spawn(fn () => await(new Async\Future($state), timeout(10000)));
spawn(fn () => fwrite($pipes[0], "now\n"));
var_dump(await($waiting) === SIGUSR1);
fclose($pipes[0]);
proc_close($raiser);
?>
--EXPECT--
bool(true)
