--TEST--
R-CHN-2: send() to a receiver that waits does not suspend
--FILE--
<?php
use function Async\{spawn, suspend};
$ch = new Async\Channel;
spawn(function () use ($ch) { $value = $ch->recv(); echo "got $value\n"; });
suspend();
$ch->send('v');
echo "sent\n";
?>
--EXPECT--
sent
got v
