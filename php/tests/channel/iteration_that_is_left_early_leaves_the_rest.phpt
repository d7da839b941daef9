--TEST--
A loop that is left early takes no further value
--FILE--
<?php
$ch = new Async\Channel(3);
foreach ([1, 2, 3] as $value) $ch->send($value);
foreach ($ch as $value) break;
var_dump($value, count($ch), $ch->recv());
?>
--EXPECT--
int(1)
int(2)
int(2)
