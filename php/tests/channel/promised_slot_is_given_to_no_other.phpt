--TEST--
R-CHN-7: the slot promised to a woken sender is not given to sendAsync(), though the channel is not full
--FILE--
<?php
use function Async\{spawn, suspend};
$ch = new Async\Channel(1);
$ch->send('first');
spawn(function () use ($ch) { $ch->send('second'); });
suspend();
var_dump($ch->recv(), $ch->isFull(), $ch->sendAsync('newcomer'));
var_dump($ch->recv());
?>
--EXPECT--
string(5) "first"
bool(false)
bool(false)
string(6) "second"
