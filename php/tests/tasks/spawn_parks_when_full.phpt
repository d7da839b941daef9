--TEST--
spawn() parks its caller while slots and queue are full
--FILE--
<?php
use function Async\suspend;
$g = new Async\TaskGroup(concurrency: 1, queueLimit: 1);
for ($i = 1; $i <= 3; ++$i) { $g->spawn(function () use ($i) { echo "task $i\n"; }); echo "spawned $i\n"; }
$g->close();
$g->awaitCompletion();
?>
--EXPECT--
spawned 1
spawned 2
task 1
task 2
spawned 3
task 3
