--TEST--
A cycle through the results of a set is collected, but not while the set is referred to
--FILE--
<?php
use function Async\suspend;
require __DIR__ . '/node.inc';
function cycle(string $name): Async\TaskSet {
    $node = new Node($name);
    $node->kept = new Async\TaskSet;
    $node->kept->spawn(fn () => $node);
    $node->kept->spawn(fn () => [$node]);
    suspend();
    return $node->kept;
}
cycle('dropped');
$set = cycle('kept');
gc_collect_cycles();
echo "collected\n";
var_dump($set->joinNext()->await()->kept === $set);
?>
--EXPECT--
dropped goes
collected
bool(true)
kept goes
