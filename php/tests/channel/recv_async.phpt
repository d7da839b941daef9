--TEST--
recvAsync() gives a future of the next value
--FILE--
<?php
use function Async\spawn;
$ch = new Async\Channel(1);
$f = $ch->recvAsync();
spawn(fn () => $ch->send('later'));
echo $f->await(), "\n";
$ch->close();
try { $ch->recvAsync()->await(); } catch (Async\ChannelException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
later
Channel is closed
