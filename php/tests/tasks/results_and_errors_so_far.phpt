--TEST--
getResults() and getErrors() give what there is so far
--FILE--
<?php
use function Async\{await, suspend};
$g = new Async\TaskGroup;
$gate = new Async\Future($state = new Async\FutureState);
$g->spawnWithKey('waits', fn () => await($gate));
$g->spawnWithKey('ended', fn () => 'v');
$g->spawnWithKey('failed', fn () => throw new Exception('e'));
suspend();
suspend();
echo json_encode($g->getResults()), ' ', implode(array_keys($g->getErrors())), "\n";
$state->complete('w');
echo json_encode($g->all(ignoreErrors: true)->await()), "\n";
?>
--EXPECT--
{"ended":"v"} failed
{"waits":"w","ended":"v"}
