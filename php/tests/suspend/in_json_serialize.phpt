--TEST--
jsonSerialize() may suspend
--FILE--
<?php
use function Async\{spawn, suspend, await};
class J implements JsonSerializable { public function __construct(private $v) {} public function jsonSerialize(): mixed { suspend(); return $this->v; } }
$a = spawn(fn () => json_encode([new J(1), new J('x')]));
$b = spawn(fn () => json_encode(['k' => new J([2])]));
echo await($a), await($b), "\n";
?>
--EXPECT--
[1,"x"]{"k":[2]}
