--TEST--
R-CHN-13: a sender that is cancelled leaves no value, and the channel stays usable
--FILE--
<?php
use function Async\{await, spawn, suspend};
$ch = new Async\Channel;
$sender = spawn(fn () => $ch->send('withdrawn'));
suspend();
$sender->cancel();
try { await($sender); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
$future = $ch->recvAsync();
var_dump($future->isCompleted());
$ch->send('v');
var_dump($future->await());
?>
--EXPECT--
Coroutine cancelled
bool(false)
string(1) "v"
