--TEST--
R-CHN-5: a pending future of recvAsync() fails when the channel is dropped
--FILE--
<?php
$ch = new Async\Channel;
$future = $ch->recvAsync();
unset($ch);
try { $future->await(); } catch (Async\ChannelException $e) { echo $e->getMessage(), ': ', $e->reason->name, "\n"; }
?>
--EXPECT--
Channel disposed: DISPOSED
