--TEST--
A closed channel refuses to send and to receive, but gives what it holds
--FILE--
<?php
use function Async\spawn;
$ch = new Async\Channel(1);
$ch->send('left');
$ch->close();
$ch->close();
var_dump($ch->recv(), $ch->sendAsync(1));
foreach ([fn () => $ch->recv(), fn () => $ch->send(1)] as $f) {
    try { $f(); } catch (Async\ChannelException $e) { echo $e->getMessage(), ' ', $e->reason->name, "\n"; }
}
?>
--EXPECT--
string(4) "left"
bool(false)
Channel is closed EXPLICIT
Channel is closed EXPLICIT
