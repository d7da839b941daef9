--TEST--
getId() is the handle of the object; current_coroutine() and get_coroutines() give the same objects
--FILE--
<?php
use function Async\{spawn, await, suspend, current_coroutine, get_coroutines};
try { current_coroutine(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
$c = spawn(function () { suspend(); return current_coroutine(); });
var_dump($c->getId() === spl_object_id($c));
suspend();
$all = get_coroutines();
var_dump(count($all), $all[0] === current_coroutine(), $all[1] === $c);
var_dump(await($c) === $c);
var_dump(count(get_coroutines()));
?>
--EXPECT--
The current coroutine is not defined
bool(true)
int(2)
bool(true)
bool(true)
bool(true)
int(1)
