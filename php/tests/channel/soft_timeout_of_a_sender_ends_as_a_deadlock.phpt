--TEST--
R-CHN-20: a sender with a soft timeout fails at once when nothing else is alive
--FILE--
<?php
$ch = new Async\Channel(noConsumerTimeout: 3600000);
try { $ch->send(1); } catch (Async\ChannelException $e) { echo $e->getMessage(), ': ', $e->reason->value, "\n"; }
?>
--EXPECT--
Channel deadlock: deadlock
