--TEST--
O-19: senders that wait on a full channel are admitted in their order
--FILE--
<?php
use function Async\{spawn, suspend};
$ch = new Async\Channel(1);
$ch->send(0);
foreach ([1, 2, 3] as $i) spawn(function () use ($ch, $i) { $ch->send($i); });
suspend();
$got = []; for ($i = 0; $i < 4; ++$i) $got[] = $ch->recv();
echo implode(' ', $got), "\n";
?>
--EXPECT--
0 1 2 3
