--TEST--
A channel in a combinator refuses or waits: it settles when it changes
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, await_any_or_fail};
$ch = new Channel(1);
spawn(fn () => $ch->send('v'));
await_any_or_fail([$ch]);
var_dump($ch->recv());
?>
--EXPECT--
string(1) "v"
