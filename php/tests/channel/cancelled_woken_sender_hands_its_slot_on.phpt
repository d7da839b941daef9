--TEST--
R-CHN-12: a woken sender that is cancelled before it runs hands its slot to the next
--FILE--
<?php
use function Async\{await, spawn, suspend};
$ch = new Async\Channel(1);
$ch->send('first');
$a = spawn(fn () => $ch->send('a'));
$b = spawn(fn () => $ch->send('b'));
suspend();
$ch->recv();
$a->cancel();
try { await($a); } catch (Async\AsyncCancellation) { echo "cancelled\n"; }
await($b);
var_dump($ch->recv(), $ch->isEmpty());
?>
--EXPECT--
cancelled
string(1) "b"
bool(true)
