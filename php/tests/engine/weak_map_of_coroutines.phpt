--TEST--
A WeakMap with coroutines as keys forgets those that have ended and are dropped
--FILE--
<?php
use function Async\{await, spawn};
$map = new WeakMap;
$c = spawn(fn () => 1);
$map[$c] = 'value';
await($c);
var_dump(count($map));
unset($c);
var_dump(count($map));
?>
--EXPECT--
int(1)
int(0)
