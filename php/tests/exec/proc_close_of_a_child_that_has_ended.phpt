--TEST--
proc_close() of a child that was seen to end gives what it gives outside of coroutines
--FILE--
<?php
use function Async\{await, spawn};
$work = function () {
    $process = proc_open('exit 3', [], $pipes);
    while (($status = proc_get_status($process))['running']) usleep(1000);
    return [$status['exitcode'], proc_close($process)];
};
$outside = $work();
var_dump(await(spawn($work)) === $outside, $outside[0]);
?>
--EXPECT--
bool(true)
int(3)
