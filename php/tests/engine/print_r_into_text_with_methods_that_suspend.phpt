--TEST--
print_r() and var_export() into text of two coroutines do not mix
--FILE--
<?php
use function Async\{await, spawn, suspend};
class Slow implements JsonSerializable { public function __construct(public $x) {} public function __debugInfo() { suspend(); return ['x' => $this->x]; } public function jsonSerialize(): mixed { suspend(); return $this->x; } }
$show = fn ($x) => spawn(function () use ($x) { $text = print_r([new Slow($x), new Slow($x)], true); return preg_replace('/\s+/', ' ', $text) . json_encode([new Slow($x)]); });
$a = $show('a');
$b = $show('b');
echo await($a), "\n", await($b), "\n";
?>
--EXPECT--
Array ( [0] => Slow Object ( [x] => a ) [1] => Slow Object ( [x] => a ) ) ["a"]
Array ( [0] => Slow Object ( [x] => b ) [1] => Slow Object ( [x] => b ) ) ["b"]
