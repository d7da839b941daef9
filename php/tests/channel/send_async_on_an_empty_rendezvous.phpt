--TEST--
R-CHN-3: sendAsync() leaves one value in an empty channel without capacity
--FILE--
<?php
$ch = new Async\Channel;
var_dump($ch->capacity(), $ch->sendAsync('kept'), $ch->sendAsync('refused'), $ch->recv());
?>
--EXPECT--
int(0)
bool(true)
bool(false)
string(4) "kept"
