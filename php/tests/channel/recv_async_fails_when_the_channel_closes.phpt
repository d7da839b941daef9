--TEST--
A pending future of recvAsync() fails when the channel is closed
--FILE--
<?php
$ch = new Async\Channel;
$future = $ch->recvAsync();
var_dump($future->isCompleted());
$ch->close();
try { $future->await(); } catch (Async\ChannelException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
bool(false)
Channel is closed
