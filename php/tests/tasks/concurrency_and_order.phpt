--TEST--
O-20: with concurrency 1 and an unbounded queue all spawns return before the first task runs
--FILE--
<?php
$g = new Async\TaskGroup(concurrency: 1, queueLimit: 0);
for ($i = 1; $i <= 5; ++$i) { $g->spawn(function () use ($i) { echo "task $i begins\n"; Async\suspend(); echo "task $i ends\n"; }); echo "spawned $i\n"; }
$g->close();
$g->awaitCompletion();
?>
--EXPECT--
spawned 1
spawned 2
spawned 3
spawned 4
spawned 5
task 1 begins
task 1 ends
task 2 begins
task 2 ends
task 3 begins
task 3 ends
task 4 begins
task 4 ends
task 5 begins
task 5 ends
