--TEST--
A TaskGroup and a TaskSet are not cloned, serialized or given dynamic properties
--FILE--
<?php
use Async\{TaskGroup, TaskSet};
require __DIR__ . '/../says.inc';
foreach ([new TaskGroup, new TaskSet] as $o) {
    says(fn () => clone $o);
    says(fn () => serialize($o));
    says(function () use ($o) { $o->x = 1; });
}
?>
--EXPECT--
Error: Trying to clone an uncloneable object of class Async\TaskGroup
Exception: Serialization of 'Async\TaskGroup' is not allowed
Error: Cannot create dynamic property Async\TaskGroup::$x
Error: Trying to clone an uncloneable object of class Async\TaskSet
Exception: Serialization of 'Async\TaskSet' is not allowed
Error: Cannot create dynamic property Async\TaskSet::$x
