--TEST--
R-TGR-2: a spawn() that waits for a place fails when the group is closed meanwhile
--FILE--
<?php
use function Async\{await, spawn, suspend};
$g = new Async\TaskGroup(concurrency: 1, queueLimit: 1);
$state = new Async\FutureState;
$gate = new Async\Future($state);
$g->spawn(fn () => await($gate));
$g->spawn(fn () => 'queued');
$caller = spawn(fn () => $g->spawn(fn () => print("never\n")));
suspend();
$g->close();
try { await($caller); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
$state->complete('first');
echo json_encode($g->all()->await()), "\n";
?>
--EXPECT--
Cannot spawn tasks on a closed TaskGroup
["first","queued"]
