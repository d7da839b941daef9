--TEST--
R-CHN-20: a receiver with a soft timeout fails at once when nothing else is alive
--FILE--
<?php
$ch = new Async\Channel(noProducerTimeout: 3600000);
try { $ch->recv(); } catch (Async\ChannelException $e) { echo $e->getMessage(), ': ', $e->reason->value, "\n"; }
var_dump($ch->isClosed());
?>
--EXPECT--
Channel deadlock: deadlock
bool(true)
