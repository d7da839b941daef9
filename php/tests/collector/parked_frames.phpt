--TEST--
Values on the stacks of parked coroutines survive the collector; cycles that are dropped go
--FILE--
<?php
use function Async\{spawn, await, suspend};
class Node { public $next; public $data; public static $gone = 0; public function __destruct() { ++self::$gone; } }
function ring() { $a = new Node; $b = new Node; $a->next = $b; $b->next = $a; $a->data = str_repeat('x', 100); return $a; }
$all = [];
for ($i = 0; $i < 50; ++$i) {
    $all[] = spawn(function () { $ring = ring(); suspend(); gc_collect_cycles(); suspend(); return strlen($ring->data) + strlen($ring->next->next->data); });
}
$sum = 0;
foreach ($all as $c) $sum += await($c);
unset($all, $c);
gc_collect_cycles();
var_dump($sum, Node::$gone);
?>
--EXPECT--
int(10000)
int(100)
