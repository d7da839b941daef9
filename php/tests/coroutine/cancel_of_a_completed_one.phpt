--TEST--
cancel() of a completed coroutine does nothing
--FILE--
<?php
$c = Async\spawn(fn () => 5);
Async\await($c);
$c->cancel();
var_dump($c->isCancelled(), Async\await($c));
?>
--EXPECT--
bool(false)
int(5)
