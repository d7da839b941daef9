--TEST--
A spawn() that is cancelled while it waits for a place adds no task
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
$caller->cancel();
try { await($caller); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$state->complete('first');
$g->close();
$g->awaitCompletion();
var_dump(count($g), $g->getResults());
?>
--EXPECT--
Coroutine cancelled
int(2)
array(2) {
  [0]=>
  string(5) "first"
  [1]=>
  string(6) "queued"
}
