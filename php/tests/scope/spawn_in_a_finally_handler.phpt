--TEST--
A finally handler may spawn, but not into the closed scope
--FILE--
<?php
use function Async\{spawn, suspend};
$s = new Async\Scope;
$s->finally(function ($scope) {
    try { $scope->spawn(fn () => print("never\n")); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
    spawn(fn () => print("spawned\n"));
});
$s->dispose();
suspend();
suspend();
?>
--EXPECT--
Cannot spawn a coroutine in a closed scope
spawned
