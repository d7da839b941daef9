--TEST--
A loop keeps its channel while it runs
--FILE--
<?php
use function Async\spawn;
function numbers() { $ch = new Async\Channel(2); foreach ([1, 2] as $x) $ch->send($x); $ch->close(); return $ch; }
foreach (numbers() as $x) echo "$x\n";
$iterator = numbers()->getIterator();
foreach ($iterator as $x) echo "$x\n";
?>
--EXPECT--
1
2
1
2
