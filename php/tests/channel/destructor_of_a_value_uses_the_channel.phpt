--TEST--
The destructor of a value that is dropped with its channel may use another channel
--FILE--
<?php
class V { public function __construct(private Async\Channel $other) {} public function __destruct() { $this->other->send('from the destructor'); } }
$other = new Async\Channel;
$ch = new Async\Channel(1);
$ch->send(new V($other));
Async\spawn(function () use ($other) { echo $other->recv(), "\n"; });
unset($ch);
echo "dropped\n";
?>
--EXPECT--
from the destructor
dropped
