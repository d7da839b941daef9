--TEST--
A future serves as a token, which counts as use
--FILE--
<?php
use function Async\{spawn, await, delay};
$state = new Async\FutureState;
$stop = new Async\Future($state);
$c = spawn(fn () => delay(50));
spawn(fn () => $state->error(new Exception('stop now')));
try { await($c, $stop); } catch (Async\OperationCanceledException $e) { echo $e->getPrevious()->getMessage(), "\n"; }
$c->cancel();
?>
--EXPECT--
stop now
