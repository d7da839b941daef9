--TEST--
A cycle through the result of a coroutine is collected, but not while the coroutine is referred to
--FILE--
<?php
use function Async\{spawn, await};
require __DIR__ . '/node.inc';
function cycle(string $name): Async\Coroutine {
    $node = new Node($name);
    $node->kept = spawn(fn () => [$node, str_repeat($name, 3)]);
    await($node->kept);
    return $node->kept;
}
cycle('dropped');
$coroutine = cycle('kept');
gc_collect_cycles();
echo "collected\n";
var_dump(await($coroutine)[0]->kept === $coroutine, await($coroutine)[1]);
?>
--EXPECT--
dropped goes
collected
bool(true)
string(12) "keptkeptkept"
kept goes
