--TEST--
A spawned coroutine is queued and has not started
--FILE--
<?php
use function Async\spawn;
$c = spawn(fn () => 1);
var_dump($c->isQueued(), $c->isStarted(), $c->isCompleted());
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
