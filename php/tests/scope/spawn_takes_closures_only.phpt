--TEST--
Scope::spawn() refuses what is not a Closure
--FILE--
<?php
require __DIR__ . '/../says.inc';
$s = new Async\Scope;
says(fn () => $s->spawn('strlen', 'x'));
says(fn () => $s->spawn());
?>
--EXPECT--
TypeError: Async\Scope::spawn(): Argument #1 ($callable) must be of type Closure, string given
ArgumentCountError: Async\Scope::spawn() expects at least 1 argument, 0 given
