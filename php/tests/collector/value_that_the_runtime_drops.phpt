--TEST--
A cycle whose last reference from outside the runtime drops is collected
--FILE--
<?php
class Node { public $self; function __construct(private $name) { $this->self = $this; } function __destruct() { echo "$this->name collected\n"; } }
$channel = new Async\Channel(1);
$channel->sendAsync(new Node('of a channel'));
gc_collect_cycles();  // the channel holds it: the collector forgets it
unset($channel);
gc_collect_cycles();
echo "end\n";
?>
--EXPECT--
of a channel collected
end
