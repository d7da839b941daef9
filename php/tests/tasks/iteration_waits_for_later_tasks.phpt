--TEST--
R-TGR-8: foreach waits for tasks that are spawned later, until the group is closed
--FILE--
<?php
use function Async\{spawn, suspend};
$g = new Async\TaskGroup;
$g->spawn(fn () => 'early');
spawn(function () use ($g) { suspend(); suspend(); $g->spawn(fn () => 'late'); suspend(); $g->close(); });
foreach ($g as $key => [$result]) echo "$key: $result\n";
echo "closed\n";
?>
--EXPECT--
0: early
1: late
closed
