--TEST--
The collector leaves values alone that only a channel, a future or a pool holds
--FILE--
<?php
require __DIR__ . '/node.inc';
$channel = new Async\Channel(4);
for ($i = 0; $i < 4; ++$i) $channel->send([new Node("value $i")]);
$channel->recv();
$channel->send([new Node('value 4')]);
$future = Async\Future::completed([new Node('future')]);
$pool = new Async\Pool(fn () => [new Node('resource')], min: 1);
for ($i = 0; $i < 3; ++$i) {
    foreach ([$channel, $future, $pool] as $object) { $copy = [$object]; unset($copy, $object); }
    gc_collect_cycles();
}
echo "collected\n";
while (count($channel) > 0) $channel->recv();
echo get_class($future->await()[0]), ' ', get_class($pool->acquire()[0]), "\n";
?>
--EXPECT--
value 0 goes
collected
value 1 goes
value 2 goes
value 3 goes
value 4 goes
Node Node
resource goes
future goes
