--TEST--
A Timeout is not cloned, serialized or given dynamic properties
--FILE--
<?php
use function Async\timeout;
require __DIR__ . '/../says.inc';
$o = timeout(5);
says(fn () => clone $o);
says(fn () => serialize($o));
says(function () use ($o) { $o->x = 1; });
?>
--EXPECT--
Error: Trying to clone an uncloneable object of class Async\Timeout
Exception: Serialization of 'Async\Timeout' is not allowed
Error: Cannot create dynamic property Async\Timeout::$x
