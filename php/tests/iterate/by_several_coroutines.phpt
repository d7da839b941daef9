--TEST--
Two iterations run beside each other
--FILE--
<?php
use function Async\{await, iterate, spawn, suspend};
$run = fn ($name) => spawn(fn () => iterate([1, 2], function ($x) use ($name) { echo "$name$x\n"; suspend(); }, 1));
$a = $run('a');
$b = $run('b');
await($a);
await($b);
?>
--EXPECT--
a1
b1
a2
b2
