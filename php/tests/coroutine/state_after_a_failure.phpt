--TEST--
A failed coroutine is completed and not cancelled
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(fn () => throw new Exception('x'));
try { await($c); } catch (Exception) {}
var_dump($c->isCompleted(), $c->isCancelled(), $c->isRunning(), $c->isSuspended());
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
bool(false)
