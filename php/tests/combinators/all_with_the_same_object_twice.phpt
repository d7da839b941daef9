--TEST--
The same object in an array gives a value for each key
--FILE--
<?php
use function Async\{spawn, await_all};
$c = spawn(fn () => 'v');
echo json_encode(await_all(['x' => $c, 'y' => $c])), "\n";
?>
--EXPECT--
[{"x":"v","y":"v"},[]]
