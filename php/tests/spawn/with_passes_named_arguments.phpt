--TEST--
spawn_with() passes positional and named arguments
--FILE--
<?php
use Async\Scope;
use function Async\{spawn_with, await};
$scope = new Scope;
echo await(spawn_with($scope, fn (int $a, int $b) => "$a-$b", b: 2, a: 1)), "\n";
?>
--EXPECT--
1-2
