--TEST--
R-TGR-2: by default twice as many tasks wait as may run
--FILE--
<?php
$g = new Async\TaskGroup(concurrency: 1);
$spawned = 0;
$seen = null;
for ($i = 0; $i < 6; ++$i) { $g->spawn(function () use (&$spawned, &$seen) { $seen ??= $spawned; }); ++$spawned; }
$g->close();
$g->awaitCompletion();
var_dump($seen, count($g));
?>
--EXPECT--
int(3)
int(6)
