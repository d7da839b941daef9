--TEST--
A Pool is not cloned, serialized or given dynamic properties
--FILE--
<?php
use Async\Pool;
require __DIR__ . '/../says.inc';
$o = new Pool(fn () => 1);
says(fn () => clone $o);
says(fn () => serialize($o));
says(function () use ($o) { $o->x = 1; });
?>
--EXPECT--
Error: Trying to clone an uncloneable object of class Async\Pool
Exception: Serialization of 'Async\Pool' is not allowed
Error: Cannot create dynamic property Async\Pool::$x
