--TEST--
A Channel is not cloned, serialized or given dynamic properties
--FILE--
<?php
use Async\Channel;
require __DIR__ . '/../says.inc';
$c = new Channel;
says(fn () => clone $c);
says(fn () => serialize($c));
says(function () use ($c) { $c->x = 1; });
?>
--EXPECT--
Error: Trying to clone an uncloneable object of class Async\Channel
Exception: Serialization of 'Async\Channel' is not allowed
Error: Cannot create dynamic property Async\Channel::$x
