--TEST--
A second cancel() changes nothing
--FILE--
<?php
$future = new Async\Future($state = new Async\FutureState);
$future->cancel(new Async\AsyncCancellation('first'));
$future->cancel(new Async\AsyncCancellation('second'));
try { $future->await(); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
first
