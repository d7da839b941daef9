--TEST--
R-CHN-1, R-CHN-6: each value reaches exactly one receiver, in the order of their arrival
--FILE--
<?php
use function Async\{spawn, suspend};
$ch = new Async\Channel(3);
foreach ([1, 2, 3] as $i) spawn(function () use ($ch, $i) { $value = $ch->recv(); echo "$i gets $value\n"; });
suspend();
foreach (['a', 'b', 'c'] as $value) $ch->send($value);
?>
--EXPECT--
1 gets a
2 gets b
3 gets c
