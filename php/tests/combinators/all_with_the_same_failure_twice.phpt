--TEST--
The same failed object in an array gives an error for each key
--FILE--
<?php
use function Async\{spawn, await_all};
$c = spawn(fn () => throw new Exception('e'));
[, $errors] = await_all(['x' => $c, 'y' => $c]);
echo json_encode(array_map(fn ($e) => $e->getMessage(), $errors)), "\n";
?>
--EXPECT--
{"x":"e","y":"e"}
