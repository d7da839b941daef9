--TEST--
O-18: waiters are served in their order; a loop of release and acquire does not overtake them
--FILE--
<?php
use function Async\{spawn, suspend};
$pool = new Async\Pool(fn () => new stdClass, max: 1);
$r = $pool->acquire();
foreach (['B', 'C', 'D'] as $name) spawn(function () use ($pool, $name) { $r = $pool->acquire(); echo "$name\n"; suspend(); $pool->release($r); });
suspend();
$pool->release($r);
$r = $pool->acquire();
echo "A\n";
$pool->release($r);
?>
--EXPECT--
B
C
D
A
