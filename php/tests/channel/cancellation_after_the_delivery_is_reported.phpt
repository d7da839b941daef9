--TEST--
R-CHN-13: a send that is cancelled after its value was taken throws, and the delivery stands
--FILE--
<?php
use function Async\{await, spawn, suspend};
$ch = new Async\Channel;
$sender = spawn(fn () => $ch->send('v'));
suspend();
var_dump($ch->recv());
$sender->cancel();
try { await($sender); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
string(1) "v"
Coroutine cancelled
