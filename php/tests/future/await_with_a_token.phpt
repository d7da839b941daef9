--TEST--
A token ends Future::await()
--FILE--
<?php
$state = new Async\FutureState;
$f = new Async\Future($state);
try { $f->await(Async\timeout(1)); } catch (Async\OperationCanceledException $e) { echo $e->getPrevious()->getMessage(), "\n"; }
$f->ignore();
?>
--EXPECT--
Timeout occurred after 1 milliseconds
