--TEST--
R-CHN-4: close() fails the senders that wait, and leaves the buffer to be received
--FILE--
<?php
use function Async\{await, spawn, suspend};
$ch = new Async\Channel(2);
$ch->send(1);
$ch->send(2);
$sender = spawn(fn () => $ch->send(3));
suspend();
$ch->close();
try { await($sender); } catch (Async\ChannelException $e) { echo $e->getMessage(), "\n"; }
foreach ($ch as $value) echo "$value\n";
?>
--EXPECT--
Channel is closed
1
2
