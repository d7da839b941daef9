--TEST--
all() gives the results by key, in the order of spawning; [] for an empty group
--FILE--
<?php
use function Async\delay;
$g = new Async\TaskGroup;
var_dump($g->all()->await());
$g->spawn(function () { delay(3); return 'first'; });
$g->spawnWithKey('k', fn ($x) => $x, 'named');
$g->spawn(fn () => null);
var_dump(count($g), $g->isFinished());
var_dump($g->all()->await() === [0 => 'first', 'k' => 'named', 1 => null], $g->isFinished());
var_dump($g->all()->await() === $g->getResults(), $g->getErrors());
?>
--EXPECT--
array(0) {
}
int(3)
bool(false)
bool(true)
bool(true)
bool(true)
array(0) {
}
