--TEST--
A token ends the wait for all(); the tasks go on
--FILE--
<?php
use function Async\{await, timeout};
$g = new Async\TaskGroup;
$gate = new Async\Future($state = new Async\FutureState);
$g->spawn(fn () => await($gate));
try { $g->all()->await(timeout(1)); } catch (Async\OperationCanceledException $e) { echo get_class($e->getPrevious()), "\n"; }
$state->complete('goes on');
echo json_encode($g->all()->await()), "\n";
?>
--EXPECT--
Async\TimeoutException
["goes on"]
