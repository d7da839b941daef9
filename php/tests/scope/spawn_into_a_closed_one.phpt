--TEST--
Nothing can be spawned in a cancelled or closed scope
--FILE--
<?php
$s = new Async\Scope;
$s->cancel();
foreach ([fn () => $s->spawn(fn () => 1), fn () => Async\spawn_with($s, fn () => 1), fn () => Async\Scope::inherit($s)] as $f) {
    try { $f(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
}
?>
--EXPECT--
Cannot spawn a coroutine in a closed scope
Cannot spawn a coroutine in a closed scope
Cannot inherit a Scope from a parent Scope that has already been disposed.
