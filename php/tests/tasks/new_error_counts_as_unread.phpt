--TEST--
R-TGR-9: an error after suppressErrors() is reported when the group is dropped
--FILE--
<?php
use function Async\suspend;
$scope = new Async\Scope;
$scope->setExceptionHandler(function ($scope, $coroutine, $error) { echo get_class($error), "\n"; });
$g = new Async\TaskGroup(scope: $scope);
$g->spawn(fn () => throw new Exception('first'));
suspend();
suspend();
$g->suppressErrors();
$g->spawn(fn () => throw new Exception('second'));
suspend();
suspend();
unset($g);
suspend();
?>
--EXPECT--
Async\CompositeException
