--TEST--
A cancelled caller of joinAny() takes nothing
--FILE--
<?php
use function Async\{await, spawn, suspend};
$s = new Async\TaskSet;
$gate = new Async\Future($state = new Async\FutureState);
$s->spawn(fn () => await($gate));
$caller = spawn(fn () => $s->joinAny()->await());
suspend();
$caller->cancel();
try { await($caller); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
var_dump(count($s));
$state->complete('v');
echo json_encode($s->joinAll()->await()), "\n";
?>
--EXPECT--
Coroutine cancelled
int(1)
["v"]
