--TEST--
R-CHN-11: close() does not take back the value of a receiver that has been woken
--FILE--
<?php
use function Async\{await, spawn, suspend};
$ch = new Async\Channel(1);
$receiver = spawn(fn () => $ch->recv());
suspend();
$ch->send('promised');
$ch->close();
var_dump(await($receiver));
?>
--EXPECT--
string(8) "promised"
