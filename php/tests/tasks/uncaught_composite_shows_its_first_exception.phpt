--TEST--
The report of a composite exception that nothing catches shows its first exception
--FILE--
<?php
use Async\TaskGroup;
use function Async\suspend;
function work() {
    $group = new TaskGroup;
    $group->spawn(function () { throw new LogicException("the cause"); });
    suspend();
}
work();
?>
--EXPECTF--
%ALogicException: the cause in %s:%d
%A
Next Async\CompositeException: 1 exception in %A
