--TEST--
Generators are advanced one element at a time, and may suspend
--FILE--
<?php
use function Async\{iterate, suspend};
function numbers() { foreach (['x' => 1, 'y' => 2, 'z' => 3] as $k => $v) { suspend(); yield $k => $v; } }
iterate(numbers(), function ($v, $k) { suspend(); echo "$k$v "; }, 2);
iterate(new ArrayIterator([7]), fn ($v, $k) => print("$k=>$v\n"));
function broken() { yield 1; throw new Exception('of the generator'); }
try { iterate(broken(), fn () => null); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
x1 y2 z3 0=>7
of the generator
