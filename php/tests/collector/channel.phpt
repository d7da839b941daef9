--TEST--
A cycle through values in a channel is collected, but not while another variable has the channel
--FILE--
<?php
require __DIR__ . '/node.inc';
function cycle(string $name): Async\Channel {
    $node = new Node($name);
    $node->kept = new Async\Channel(2);
    $node->kept->send($node);
    $node->kept->send([$node]);
    return $node->kept;
}
cycle('dropped');
$channel = cycle('kept');
gc_collect_cycles();
echo "collected\n";
var_dump($channel->recv()->kept === $channel, count($channel));
?>
--EXPECT--
dropped goes
collected
bool(true)
int(1)
kept goes
