--TEST--
A task of a group finds the values of the scope that made the group
--FILE--
<?php
use function Async\{await, current_context};
$s = new Async\Scope;
echo await($s->spawn(function () {
    current_context()->set('k', 'of the scope');
    $g = new Async\TaskGroup;
    $g->spawn(fn () => current_context()->find('k'));
    return $g->all()->await()[0];
})), "\n";
?>
--EXPECT--
of the scope
