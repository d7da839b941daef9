--TEST--
R-CHN-6, R-CHN-9: futures of recvAsync() and receivers are served in the order of their arrival
--FILE--
<?php
use function Async\{await, spawn, suspend};
$ch = new Async\Channel(3);
$first = $ch->recvAsync();
$second = spawn(fn () => $ch->recv());
suspend();
$third = $ch->recvAsync();
foreach (['a', 'b', 'c'] as $value) { $ch->send($value); suspend(); }
echo $first->await(), await($second), $third->await(), "\n";
?>
--EXPECT--
abc
