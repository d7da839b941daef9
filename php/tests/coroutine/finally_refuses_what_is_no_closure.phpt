--TEST--
finally() throws a TypeError for what is not a closure
--FILE--
<?php
try { Async\spawn(fn () => 1)->finally('strlen'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Async\Coroutine::finally(): Argument #1 ($callback) must be of type Closure, string given
