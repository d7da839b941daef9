--TEST--
all() gives its results in the order of spawning, whatever ends first
--FILE--
<?php
use function Async\suspend;
$g = new Async\TaskGroup;
foreach (['x' => 3, 'y' => 1, 'z' => 2] as $key => $turns) $g->spawnWithKey($key, function () use ($turns) { for ($i = 0; $i < $turns; ++$i) suspend(); return $turns; });
echo json_encode($g->all()->await()), "\n";
?>
--EXPECT--
{"x":3,"y":1,"z":2}
