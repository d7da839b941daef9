--TEST--
R-TGR-1: never more tasks run at once than the limit says, and as many as it says
--FILE--
<?php
$g = new Async\TaskGroup(concurrency: 2, queueLimit: 0);
$running = $most = 0;
for ($i = 0; $i < 6; ++$i) $g->spawn(function () use (&$running, &$most) { $most = max($most, ++$running); Async\suspend(); Async\suspend(); --$running; });
$g->close();
$g->awaitCompletion();
var_dump($most, $running);
?>
--EXPECT--
int(2)
int(0)
