--TEST--
close() wakes receivers and senders that wait
--FILE--
<?php
use function Async\{spawn, suspend};
$a = new Async\Channel;
$b = new Async\Channel;
spawn(function () use ($a) { try { $a->recv(); } catch (Async\ChannelException $e) { echo 'recv: ', $e->getMessage(), "\n"; } });
spawn(function () use ($b) { try { $b->send(1); } catch (Async\ChannelException $e) { echo 'send: ', $e->getMessage(), "\n"; } });
suspend();
$a->close();
$b->close();
?>
--EXPECT--
recv: Channel is closed
send: Channel is closed
