--TEST--
A coroutine may suspend at any depth: in generators, callbacks of sort, nested functions
--FILE--
<?php
use function Async\{spawn, await, suspend};
function numbers() { for ($i = 0; $i < 3; ++$i) { suspend(); yield $i; } }
function deep(int $n) { if ($n === 0) { suspend(); return 0; } return 1 + deep($n - 1); }
$a = spawn(fn () => array_sum(iterator_to_array(numbers())));
$b = spawn(function () { $x = [3, 1, 2]; usort($x, function ($p, $q) { suspend(); return $p <=> $q; }); return implode($x); });
$c = spawn(function () { $x = ['c', 'a', 'b']; usort($x, function ($p, $q) { suspend(); return $q <=> $p; }); return implode($x); });
$d = spawn(fn () => deep(5000));
$e = spawn(fn () => implode(array_map(function ($x) { suspend(); return $x * 2; }, [1, 2, 3])));
foreach ([$a, $b, $c, $d, $e] as $each) var_dump(await($each));
?>
--EXPECT--
int(3)
string(3) "123"
string(3) "cba"
int(5000)
string(3) "246"
