--TEST--
O-15: each coroutine has its own output buffers
--FILE--
<?php
use function Async\{spawn, await, suspend};
ob_start();
echo "main buffer;";
$make = fn ($name) => function () use ($name) {
    ob_start(); echo "$name 1;"; suspend();
    ob_start(); echo "$name nested;"; suspend();
    $inner = ob_get_clean(); echo "$name 2;"; suspend();
    return ob_get_clean() . $inner;
};
$a = spawn($make('a'));
$b = spawn($make('b'));
$direct = spawn(function () { echo "straight to the output\n"; });
$results = [await($a), await($b)];
echo "main again";
$main = ob_get_clean();
var_dump($results, $main, print_r([1], true) === "Array\n(\n    [0] => 1\n)\n");
?>
--EXPECT--
straight to the output
array(2) {
  [0]=>
  string(17) "a 1;a 2;a nested;"
  [1]=>
  string(17) "b 1;b 2;b nested;"
}
string(22) "main buffer;main again"
bool(true)
