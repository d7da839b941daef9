--TEST--
await() of a completed future answers though its token has fired
--FILE--
<?php
$fired = Async\Future::failed(new Exception('fired'));
var_dump(Async\Future::completed(1)->await($fired));
$pending = (new Async\Future($state = new Async\FutureState))->ignore();
try { $pending->await($fired); } catch (Async\OperationCanceledException $e) { echo $e->getPrevious()->getMessage(), "\n"; }
?>
--EXPECT--
int(1)
fired
