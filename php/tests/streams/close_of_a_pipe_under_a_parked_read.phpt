--TEST--
fclose() of a pipe wakes the coroutine that reads from it
--FILE--
<?php
use function Async\{spawn, await, suspend};
$process = proc_open(['sleep', '30'], [1 => ['pipe', 'w']], $pipes);
$reader = spawn(function () use ($pipes) { return @fgets($pipes[1]); });
suspend();
var_dump(fclose($pipes[1]));
var_dump(await($reader));
proc_terminate($process);
proc_close($process);
?>
--EXPECT--
bool(true)
bool(false)
