--TEST--
spawn() and spawnWithKey() pass positional and named arguments
--FILE--
<?php
$g = new Async\TaskGroup;
$g->spawn(fn (int $a, int $b) => "$a-$b", 1, 2);
$g->spawn(fn (int $a, int $b) => "$a-$b", b: 1, a: 2);
$g->spawnWithKey('k', fn (...$all) => json_encode($all), 1, x: 2);
echo implode(' ', $g->all()->await()), "\n";
?>
--EXPECT--
1-2 2-1 {"0":1,"x":2}
