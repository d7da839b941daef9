--TEST--
Objects, arrays and null pass through a channel as they are; references do not
--FILE--
<?php
use function Async\spawn;
$ch = new Async\Channel(4);
$o = new ArrayObject([1]);
$x = 1; $r = &$x;
$ch->send($o); $ch->send([1, [2]]); $ch->send(null); $ch->send($r);
var_dump($ch->recv() === $o, $ch->recv() === [1, [2]], $ch->recv());
$got = $ch->recv(); $x = 2; var_dump($got);
?>
--EXPECT--
bool(true)
bool(true)
NULL
int(1)
