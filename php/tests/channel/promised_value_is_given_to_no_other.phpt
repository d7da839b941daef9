--TEST--
R-CHN-7, R-CHN-8: a value promised to a woken receiver counts, but a newcomer does not get it
--FILE--
<?php
use function Async\{await, spawn, suspend};
$ch = new Async\Channel(1);
$receiver = spawn(fn () => $ch->recv());
suspend();
$ch->send('promised');
$future = $ch->recvAsync();
var_dump(count($ch), $ch->isEmpty(), $future->isCompleted());
var_dump(await($receiver));
$ch->send('next');
var_dump($future->await());
?>
--EXPECT--
int(1)
bool(false)
bool(false)
string(8) "promised"
string(4) "next"
