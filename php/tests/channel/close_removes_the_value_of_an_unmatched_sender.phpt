--TEST--
R-CHN-11: the value of a sender that close() has failed is not received
--FILE--
<?php
use function Async\{await, spawn, suspend};
$ch = new Async\Channel;
$sender = spawn(fn () => $ch->send('unmatched'));
suspend();
$ch->close();
try { await($sender); } catch (Async\ChannelException) { echo "send failed\n"; }
try { $ch->recv(); } catch (Async\ChannelException) { echo "recv failed\n"; }
?>
--EXPECT--
send failed
recv failed
