--TEST--
recvAsync() takes a value that is there at once
--FILE--
<?php
$ch = new Async\Channel(1);
$ch->send('v');
$future = $ch->recvAsync();
var_dump($future->isCompleted(), $ch->isEmpty(), $future->await());
?>
--EXPECT--
bool(true)
bool(true)
string(1) "v"
