--TEST--
isCancellationRequested() is false without a cancellation
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(fn () => 1);
var_dump($c->isCancellationRequested());
await($c);
var_dump($c->isCancellationRequested());
?>
--EXPECT--
bool(false)
bool(false)
