--TEST--
A cycle through the values of a context is collected
--FILE--
<?php
use function Async\{spawn, await, coroutine_context};
require __DIR__ . '/node.inc';
function cycle(string $name): Async\Context {
    return await(spawn(function () use ($name) {
        $node = new Node($name);
        $node->kept = coroutine_context();
        $node->kept->set('by name', [$node])->set($node, $node);
        return $node->kept;
    }));
}
cycle('dropped');
$context = cycle('kept');
gc_collect_cycles();
echo "collected\n";
var_dump($context->get('by name')[0]->kept === $context);
?>
--EXPECT--
dropped goes
collected
bool(true)
kept goes
