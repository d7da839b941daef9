--TEST--
exit() inside a loop over a channel ends the script
--FILE--
<?php
$ch = new Async\Channel(2);
$ch->send(1);
$ch->send(2);
foreach ($ch as $x) { echo "$x\n"; exit(0); }
?>
--EXPECT--
1
