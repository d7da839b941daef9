--TEST--
asHiPriority() returns the coroutine and moves it to the head of the queue
--FILE--
<?php
use function Async\{spawn, suspend};
spawn(fn () => print("first\n"));
$c = spawn(fn () => print("high\n"));
var_dump($c->asHiPriority() === $c);
?>
--EXPECT--
bool(true)
high
first
