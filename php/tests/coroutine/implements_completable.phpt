--TEST--
A Coroutine is a Completable
--FILE--
<?php
use Async\Completable;
use function Async\spawn;
var_dump(spawn(fn () => 1) instanceof Completable);
?>
--EXPECT--
bool(true)
