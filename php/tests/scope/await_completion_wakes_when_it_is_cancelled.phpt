--TEST--
A caller of awaitCompletion() is told when the scope is cancelled meanwhile
--FILE--
<?php
use function Async\{await, delay, spawn, suspend, timeout};
$s = new Async\Scope;
$s->spawn(function () { delay(60000); });
$waiter = spawn(fn () => $s->awaitCompletion(timeout(5000)));
suspend();
$s->cancel(new Async\AsyncCancellation('mine'));
try { await($waiter); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
mine
