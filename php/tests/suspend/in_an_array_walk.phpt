--TEST--
Callbacks of internal functions may suspend and interleave
--FILE--
<?php
use function Async\{spawn, suspend, await_all};
$walk = function ($name) { $a = [1, 2]; array_walk($a, function ($v) use ($name) { echo "$name$v "; suspend(); }); };
await_all([spawn($walk, 'a'), spawn($walk, 'b')]);
?>
--EXPECT--
a1 b1 a2 b2 
