--TEST--
recvAsync() of a closed and empty channel gives a future that has failed already
--FILE--
<?php
$ch = new Async\Channel;
$ch->close();
$future = $ch->recvAsync();
var_dump($future->isCompleted(), $future->isCancelled());
try { $future->await(); } catch (Async\ChannelException $e) { echo $e->reason->value, "\n"; }
?>
--EXPECT--
bool(true)
bool(false)
explicit
