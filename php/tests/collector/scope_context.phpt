--TEST--
A cycle through the context of a scope is collected with its scope
--FILE--
<?php
use function Async\{await, current_context};
require __DIR__ . '/node.inc';
function cycle(string $name): Async\Scope {
    $scope = new Async\Scope;
    await($scope->spawn(function () use ($name, $scope) {
        $node = new Node($name);
        $node->kept = $scope;
        current_context()->set('node', $node);
    }));
    return $scope;
}
cycle('dropped');
$scope = cycle('kept');
gc_collect_cycles();
echo "collected\n";
echo await($scope->spawn(fn () => get_class(current_context()->get('node')))), "\n";
?>
--EXPECT--
dropped goes
collected
Node
kept goes
