--TEST--
Coroutines are neither constructed, cloned, serialized nor given dynamic properties
--FILE--
<?php
$c = Async\spawn(fn () => 1);
foreach ([fn () => new Async\Coroutine, fn () => clone $c, fn () => serialize($c), function () use ($c) { $c->x = 1; }] as $f) {
    try { $f(); echo "?\n"; } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
}
?>
--EXPECT--
Error: Async\Coroutine is made by Async\spawn()
Error: Trying to clone an uncloneable object of class Async\Coroutine
Exception: Serialization of 'Async\Coroutine' is not allowed
Error: Cannot create dynamic property Async\Coroutine::$x
