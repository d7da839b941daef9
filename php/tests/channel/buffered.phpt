--TEST--
A buffered channel takes values until it is full
--FILE--
<?php
use function Async\spawn;
$ch = new Async\Channel(2);
var_dump($ch->capacity(), $ch->isEmpty(), $ch->sendAsync(1), $ch->sendAsync(2), $ch->isFull(), $ch->sendAsync(3), count($ch));
var_dump($ch->recv(), $ch->recv(), $ch->isEmpty());
?>
--EXPECT--
int(2)
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
int(2)
int(1)
int(2)
bool(true)
