--TEST--
R-CHN-14: a future of recvAsync() that is dropped leaves the queue
--FILE--
<?php
$ch = new Async\Channel(1);
$future = $ch->recvAsync()->ignore();
unset($future);
$ch->send('v');
var_dump($ch->recv());
?>
--EXPECT--
string(1) "v"
