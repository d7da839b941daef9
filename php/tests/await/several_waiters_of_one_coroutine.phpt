--TEST--
Each waiter gets the value of one coroutine, in the order of waiting
--FILE--
<?php
use function Async\{spawn, suspend, await};
$c = spawn(function () { suspend(); suspend(); return 'v'; });
foreach (['a', 'b'] as $n) spawn(function () use ($c, $n) { echo $n . ' ' . await($c) . "\n"; });
?>
--EXPECT--
a v
b v
