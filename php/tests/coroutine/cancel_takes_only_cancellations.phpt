--TEST--
cancel() throws a TypeError for other exceptions
--FILE--
<?php
$c = Async\spawn(fn () => 1);
try { $c->cancel(new Exception); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Async\Coroutine::cancel(): Argument #1 ($cancellation) must be of type ?Async\AsyncCancellation, Exception given
