--TEST--
A cycle through the value of a future is collected, but not while the future is referred to
--FILE--
<?php
require __DIR__ . '/node.inc';
function cycle(string $name): Async\Future {
    $node = new Node($name);
    $node->kept = Async\Future::completed($node);
    $node->kept->ignore();
    return $node->kept;
}
cycle('dropped');
$future = cycle('kept');
gc_collect_cycles();
echo "collected\n";
var_dump($future->await()->kept === $future);
?>
--EXPECT--
dropped goes
collected
bool(true)
kept goes
