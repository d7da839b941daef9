--TEST--
R-FUT-5: functions of a chain run in the scope where they were attached
--FILE--
<?php
use function Async\{await, current_context};
$future = new Async\Future($state = new Async\FutureState);
$scope = new Async\Scope;
$mapped = await($scope->spawn(function () use ($future) {
    current_context()->set('name', 'of the scope');
    return $future->map(fn ($value) => "$value " . current_context()->find('name'));
}));
$state->complete('runs in the context');
echo $mapped->await(), "\n";
?>
--EXPECT--
runs in the context of the scope
