--TEST--
spawn_with() spawns in the scope that it is given
--FILE--
<?php
use function Async\{spawn_with, await};
use Async\Scope;
$scope = new Scope;
$c = spawn_with($scope, function ($x) { echo "in the scope: $x\n"; return $x; }, 7);
var_dump($scope->isFinished());
var_dump(await($c));
var_dump($scope->isFinished());
?>
--EXPECT--
bool(false)
in the scope: 7
int(7)
bool(true)
