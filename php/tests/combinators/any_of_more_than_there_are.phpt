--TEST--
Asking for more than exist waits for all
--FILE--
<?php
use function Async\{spawn, await_any_of};
[$values, $errors] = await_any_of(5, ['a' => spawn(fn () => 1), 'b' => spawn(fn () => throw new Exception('b'))]);
echo json_encode($values), ' ', implode(',', array_keys($errors)), "\n";
?>
--EXPECT--
{"a":1} b
