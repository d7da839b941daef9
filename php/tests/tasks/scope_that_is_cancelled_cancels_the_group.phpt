--TEST--
Cancelling the scope of a group cancels its tasks
--FILE--
<?php
use function Async\{delay, suspend};
$scope = new Async\Scope;
$g = new Async\TaskGroup(scope: $scope);
$g->spawn(function () { try { delay(60000); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; throw $e; } });
suspend();
$scope->cancel();
$scope->awaitAfterCancellation();
var_dump($g->isFinished());
?>
--EXPECT--
Scope was cancelled
bool(true)
