--TEST--
Methods of a user's Iterator may suspend inside foreach
--FILE--
<?php
use function Async\{spawn, suspend, await};
class I implements Iterator {
    private $i = 0;
    public function current(): mixed { suspend(); return $this->i; }
    public function key(): mixed { return $this->i; }
    public function next(): void { suspend(); ++$this->i; }
    public function rewind(): void { suspend(); $this->i = 0; }
    public function valid(): bool { suspend(); return $this->i < 3; }
}
$c = spawn(function () { $r = []; foreach (new I as $v) $r[] = $v; return $r; });
echo json_encode(await($c)), "\n";
?>
--EXPECT--
[0,1,2]
