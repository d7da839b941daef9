--TEST--
cancel() rejects a pending future; on a completed one it does nothing
--FILE--
<?php
$f = new Async\Future(new Async\FutureState);
$state = new Async\FutureState; $f = new Async\Future($state);
$f->cancel();
var_dump($f->isCancelled(), $f->isCompleted());
try { $f->await(); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$state->complete('discarded');
$g = Async\Future::completed(1);
$g->cancel();
var_dump($g->isCancelled(), $g->await());
?>
--EXPECTF--
%Abool(true)
bool(true)
Future has been cancelled
bool(false)
int(1)
