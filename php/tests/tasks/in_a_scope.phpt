--TEST--
Tasks run in the scope that the group is given; a disposed one is refused
--FILE--
<?php
use function Async\{current_context};
$scope = new Async\Scope;
$scope->spawn(function () { current_context()->set('k', 'of the scope'); });
Async\suspend();
$g = new Async\TaskGroup(scope: $scope);
$g->spawn(fn () => current_context()->find('k'));
var_dump($g->all()->await());
$scope->cancel();
try { new Async\TaskGroup(scope: $scope); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
array(1) {
  [0]=>
  string(12) "of the scope"
}
Cannot use a disposed Scope for TaskGroup
