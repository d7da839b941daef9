--TEST--
A coroutine may return another coroutine, which is not awaited for it
--FILE--
<?php
use Async\Coroutine;
use function Async\{spawn, await};
$c = await(spawn(fn () => spawn(fn () => 'inner')));
var_dump($c instanceof Coroutine, await($c));
?>
--EXPECT--
bool(true)
string(5) "inner"
