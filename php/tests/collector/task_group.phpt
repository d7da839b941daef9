--TEST--
A cycle through the results of a group is collected, but not while the group is referred to
--FILE--
<?php
use function Async\await;
require __DIR__ . '/node.inc';
function cycle(string $name): Async\TaskGroup {
    $node = new Node($name);
    $node->kept = new Async\TaskGroup;
    $node->kept->spawn(fn () => $node);
    $node->kept->spawnWithKey('other', fn () => [$node]);
    $node->kept->finally(fn () => $node->kept = null);
    $node->kept->all()->await();
    return $node->kept;
}
cycle('dropped');
$group = cycle('kept');
gc_collect_cycles();
echo "collected\n";
var_dump($group->getResults()['other'][0]->kept === $group);
?>
--EXPECT--
dropped goes
collected
bool(true)
kept goes
