--TEST--
A receiver that waits too long closes the channel
--FILE--
<?php
$ch = new Async\Channel(noProducerTimeout: 2, hardTimeouts: true);
try { $ch->recv(); } catch (Async\ChannelException $e) { echo $e->getMessage(), ' ', $e->reason->value, "\n"; }
$ch = new Async\Channel(noConsumerTimeout: 2, hardTimeouts: true);
try { $ch->send(1); } catch (Async\ChannelException $e) { echo $e->getMessage(), ' ', $e->reason->value, "\n"; }
?>
--EXPECT--
Channel deadlock: no producers no producers timeout
Channel deadlock: no consumers no consumers timeout
