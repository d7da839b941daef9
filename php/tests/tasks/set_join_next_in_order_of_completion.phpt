--TEST--
joinNext() gives what ends, one after the other
--FILE--
<?php
use function Async\suspend;
$s = new Async\TaskSet;
foreach (['slow' => 4, 'fast' => 0, 'middle' => 2] as $name => $turns) $s->spawn(function () use ($name, $turns) { for ($i = 0; $i < $turns; ++$i) suspend(); return $name; });
while (count($s) > 0) echo $s->joinNext()->await(), "\n";
?>
--EXPECT--
fast
middle
slow
