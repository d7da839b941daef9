--TEST--
getAwaitingInfo() names the channel that a coroutine receives from
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, suspend};
$ch = new Channel(1);
$c = spawn(fn () => $ch->recv());
suspend();
echo $c->getAwaitingInfo()[0], "\n";
$ch->send(1);
?>
--EXPECT--
Channel(capacity=1, receivers=1, senders=0, reserved=0/0)
