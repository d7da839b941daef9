--TEST--
A state that is dropped pending ends the waits for its future
--FILE--
<?php
$f = new Async\Future(new Async\FutureState);
try { $f->await(); } catch (Async\AsyncException $e) { echo get_class($e), "\n"; }
?>
--EXPECT--
Async\AsyncException
