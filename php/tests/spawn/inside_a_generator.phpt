--TEST--
spawn() and await() work inside a generator body
--FILE--
<?php
use function Async\{spawn, await};
function values() { foreach ([1, 2, 3] as $i) yield await(spawn(fn () => $i * 10)); }
foreach (values() as $v) echo $v, "\n";
?>
--EXPECT--
10
20
30
