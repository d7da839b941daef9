--TEST--
Values left in a dropped channel are released
--FILE--
<?php
class V { public function __destruct() { echo "released\n"; } }
$ch = new Async\Channel(2);
$ch->send(new V);
unset($ch);
Async\suspend();
echo "end\n";
?>
--EXPECT--
released
end
