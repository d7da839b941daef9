--TEST--
Several coroutines may wait for one group
--FILE--
<?php
use function Async\{await, await_all_or_fail, spawn, suspend};
$g = new Async\TaskGroup;
$g->spawn(function () { suspend(); suspend(); return 'v'; });
$waiter = fn () => $g->all()->await()[0];
echo implode(' ', await_all_or_fail([spawn($waiter), spawn($waiter), spawn($waiter)])), "\n";
?>
--EXPECT--
v v v
