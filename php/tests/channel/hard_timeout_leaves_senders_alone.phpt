--TEST--
A timeout for producers is not armed by a sender that waits
--FILE--
<?php
use function Async\{delay, spawn};
$ch = new Async\Channel(noProducerTimeout: 1, hardTimeouts: true);
spawn(function () use ($ch) { $ch->send('v'); });
delay(5);
var_dump($ch->isClosed(), $ch->recv());
?>
--EXPECT--
bool(false)
string(1) "v"
