--TEST--
A Context is not cloned, serialized or given dynamic properties
--FILE--
<?php
use function Async\root_context;
require __DIR__ . '/../says.inc';
$c = root_context();
says(fn () => clone $c);
says(fn () => serialize($c));
says(function () use ($c) { $c->x = 1; });
?>
--EXPECT--
Error: Trying to clone an uncloneable object of class Async\Context
Exception: Serialization of 'Async\Context' is not allowed
Error: Cannot create dynamic property Async\Context::$x
