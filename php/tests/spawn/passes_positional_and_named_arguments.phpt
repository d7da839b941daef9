--TEST--
spawn() passes positional and named arguments
--FILE--
<?php
use function Async\{spawn, await};
function join_them(string $a, string $b = 'b', string ...$rest) { return "$a $b " . json_encode($rest); }
echo await(spawn('join_them', 'x', 'y', 'z')), "\n";
echo await(spawn('join_them', a: 'n', b: 'm', c: 'extra')), "\n";
?>
--EXPECT--
x y ["z"]
n m {"c":"extra"}
