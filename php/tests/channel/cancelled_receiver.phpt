--TEST--
A receiver that is cancelled leaves the value for the next one
--FILE--
<?php
use function Async\{spawn, await, suspend};
$ch = new Async\Channel(1);
$first = spawn(fn () => $ch->recv());
$second = spawn(fn () => $ch->recv());
suspend();
$ch->send('v');
$first->cancel();
echo await($second), "\n";
?>
--EXPECT--
v
