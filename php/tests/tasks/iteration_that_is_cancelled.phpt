--TEST--
A cancellation leaves a foreach that waits; the group goes on
--FILE--
<?php
use function Async\{await, spawn, suspend};
$g = new Async\TaskGroup;
$gate = new Async\Future($state = new Async\FutureState);
$g->spawn(fn () => await($gate));
$loop = spawn(function () use ($g) { foreach ($g as $entry) echo "never\n"; });
suspend();
$loop->cancel();
try { await($loop); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$state->complete('v');
echo json_encode($g->all()->await()), "\n";
?>
--EXPECT--
Coroutine cancelled
["v"]
