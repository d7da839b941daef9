--TEST--
Scope::spawn() passes positional and named arguments
--FILE--
<?php
use function Async\await;
$s = new Async\Scope;
echo await($s->spawn(fn (int $a, int $b = 2, int ...$rest) => json_encode([$a, $b, $rest]), 1, rest: 3, b: 4)), "\n";
echo await($s->spawn(fn (int $a, int $b) => json_encode([$a, $b]), b: 1, a: 2)), "\n";
?>
--EXPECT--
[1,4,{"rest":3}]
[2,1]
