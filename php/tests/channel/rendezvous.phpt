--TEST--
O-5: a rendezvous: the sender parks until the receiver has the value
--FILE--
<?php
use function Async\{spawn, suspend};
$ch = new Async\Channel;
spawn(function () use ($ch) { echo "sending\n"; $ch->send('v'); echo "sent\n"; });
spawn(function () use ($ch) { echo "got ", $ch->recv(), "\n"; suspend(); });
?>
--EXPECT--
sending
got v
sent
