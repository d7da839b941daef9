--TEST--
Getters refuse arguments
--FILE--
<?php
use function Async\spawn;
require __DIR__ . '/../says.inc';
$c = spawn(fn () => 1);
says(fn () => $c->getId(1));
says(fn () => $c->isCompleted(1));
?>
--EXPECT--
ArgumentCountError: Async\Coroutine::getId() expects exactly 0 arguments, 1 given
ArgumentCountError: Async\Coroutine::isCompleted() expects exactly 0 arguments, 1 given
