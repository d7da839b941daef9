--TEST--
An exception of the destructor of a dropped value reaches the code that drops the channel
--FILE--
<?php
class V { public function __destruct() { throw new DomainException('of the destructor'); } }
$ch = new Async\Channel(1);
$ch->send(new V);
try { unset($ch); echo "no exception\n"; } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
of the destructor
