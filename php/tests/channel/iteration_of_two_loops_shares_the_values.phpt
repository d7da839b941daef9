--TEST--
Two loops over one channel share its values
--FILE--
<?php
use function Async\{await, spawn, suspend};
$ch = new Async\Channel;
$loop = function () use ($ch) { $got = []; foreach ($ch as $value) { $got[] = $value; suspend(); } return $got; };
$a = spawn($loop);
$b = spawn($loop);
for ($i = 1; $i <= 6; ++$i) $ch->send($i);
$ch->close();
$all = array_merge($fromA = await($a), $fromB = await($b));
sort($all);
var_dump(count($fromA) > 0, count($fromB) > 0, $all === [1, 2, 3, 4, 5, 6]);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
