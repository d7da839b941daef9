--TEST--
Destructors that the collector of cycles calls may suspend, and bring objects back
--FILE--
<?php
use function Async\{spawn, suspend, await_all};
class Node {
    public $other;
    public static $destroyed = 0;
    public static $kept = [];
    public function __construct(public int $number) {}
    public function __destruct() {
        suspend();
        ++self::$destroyed;
        if ($this->number % 10 === 0) self::$kept[] = $this;
    }
}
$all = [];
for ($i = 0; $i < 10; ++$i) {
    $all[] = spawn(function () use ($i) {
        for ($k = 0; $k < 50; ++$k) {
            [$a, $b] = [new Node($i * 100 + $k), new Node(1)];
            $a->other = $b;
            $b->other = $a;
            unset($a, $b);
            if ($k % 20 === 0) gc_collect_cycles();
            suspend();
        }
    });
}
await_all($all);
gc_collect_cycles();
var_dump(Node::$destroyed, count(Node::$kept));
foreach (Node::$kept as $node) if ($node->other->other !== $node) echo "broken\n";
?>
--EXPECT--
int(1000)
int(50)
