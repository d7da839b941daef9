--TEST--
proc_close() of a child that a signal ended gives what it gives outside of coroutines
--FILE--
<?php
use function Async\{await, spawn};
$work = fn () => proc_close(proc_open('kill -9 $$', [], $pipes));
$outside = $work();
var_dump(await(spawn($work)) === $outside);
?>
--EXPECT--
bool(true)
