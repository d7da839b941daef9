--TEST--
The arguments of getTrace() are checked
--FILE--
<?php
use function Async\spawn;
require __DIR__ . '/../says.inc';
$c = spawn(fn () => 1);
says(fn () => $c->getTrace('x'));
says(fn () => $c->getTrace(0, []));
?>
--EXPECT--
TypeError: Async\Coroutine::getTrace(): Argument #1 ($options) must be of type int, string given
TypeError: Async\Coroutine::getTrace(): Argument #2 ($limit) must be of type int, array given
