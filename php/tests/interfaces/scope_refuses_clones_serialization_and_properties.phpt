--TEST--
A Scope is not cloned, serialized or given dynamic properties
--FILE--
<?php
use Async\Scope;
require __DIR__ . '/../says.inc';
$s = new Scope;
says(fn () => clone $s);
says(fn () => serialize($s));
says(function () use ($s) { $s->x = 1; });
?>
--EXPECT--
Error: Trying to clone an uncloneable object of class Async\Scope
Exception: Serialization of 'Async\Scope' is not allowed
Error: Cannot create dynamic property Async\Scope::$x
