--TEST--
await_all() gives values and errors by key and never throws them
--FILE--
<?php
use function Async\{spawn, await_all};
$make = fn () => ['x' => spawn(fn () => 1), 'y' => spawn(fn () => throw new Exception('e')), 'z' => spawn(fn () => 3)];
[$values, $errors] = await_all($make());
var_dump($values === ['x' => 1, 'z' => 3], array_map(fn ($e) => $e->getMessage(), $errors) === ['y' => 'e']);
[$values] = await_all($make(), fillNull: true);
var_dump($values === ['x' => 1, 'y' => null, 'z' => 3]);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
