--TEST--
isCancellationRequested() is true until the coroutine has ended, isCancelled() afterwards
--FILE--
<?php
use function Async\{spawn, suspend, delay, await};
require __DIR__ . '/../says.inc';
$c = spawn(function () { try { delay(60000); } finally { suspend(); } });
suspend();
$c->cancel();
var_dump($c->isCancellationRequested(), $c->isCancelled());
suspend();
var_dump($c->isCancellationRequested(), $c->isCancelled());
says(fn () => await($c));
var_dump($c->isCancellationRequested(), $c->isCancelled());
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(false)
Async\AsyncCancellation: Coroutine cancelled
bool(false)
bool(true)
