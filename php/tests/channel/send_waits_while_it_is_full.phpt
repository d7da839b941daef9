--TEST--
send() waits while the channel is full, and goes on when a value was received
--FILE--
<?php
use function Async\{spawn, suspend};
$ch = new Async\Channel(1);
spawn(function () use ($ch) { $ch->send(1); echo "sent 1\n"; $ch->send(2); echo "sent 2\n"; });
suspend();
echo "received {$ch->recv()}\n";
suspend();
echo "received {$ch->recv()}\n";
?>
--EXPECT--
sent 1
received 1
sent 2
received 2
