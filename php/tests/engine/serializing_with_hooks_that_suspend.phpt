--TEST--
Two coroutines may serialize objects whose hooks suspend
--FILE--
<?php
use function Async\{await, spawn, suspend};
class Node {
    public $self;
    public function __construct(public string $name, public array $parts = []) { $this->self = $this; }
    public function __serialize(): array { suspend(); return ['name' => $this->name, 'self' => $this->self, 'parts' => $this->parts]; }
    public function __unserialize(array $data): void { suspend(); [$this->name, $this->self, $this->parts] = [$data['name'], $data['self'], $data['parts']]; }
}
$copy = fn ($name) => spawn(function () use ($name) {
    $shared = new Node("$name shared");
    $made = unserialize(serialize(new Node($name, [$shared, $shared])));
    return [$made->name, $made->self === $made, $made->parts[0] === $made->parts[1], $made->parts[1]->name];
});
$a = $copy('a');
$b = $copy('b');
echo json_encode([await($a), await($b)]), "\n";
?>
--EXPECT--
[["a",true,true,"a shared"],["b",true,true,"b shared"]]
