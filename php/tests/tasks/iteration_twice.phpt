--TEST--
A group can be iterated again, with the same entries
--FILE--
<?php
$g = new Async\TaskGroup;
$g->spawnWithKey('a', fn () => 1);
$g->spawnWithKey('b', fn () => 2);
$g->close();
foreach ([1, 2] as $round) foreach ($g as $key => [$result, $error]) echo "$round $key $result\n";
var_dump(count($g));
?>
--EXPECT--
1 a 1
1 b 2
2 a 1
2 b 2
int(2)
