--TEST--
R-TGR-4: race() of settled tasks gives the first in the order of spawning
--FILE--
<?php
use function Async\suspend;
$g = new Async\TaskGroup;
$g->spawn(function () { suspend(); suspend(); return 'spawned first'; });
$g->spawn(fn () => 'ended first');
$g->close();
$g->awaitCompletion();
var_dump($g->race()->await(), $g->race()->await());
?>
--EXPECT--
string(13) "spawned first"
string(13) "spawned first"
