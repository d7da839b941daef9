--TEST--
Cancelling the caller of await_any_or_fail() ends its wait and leaves the members
--FILE--
<?php
use function Async\{spawn, suspend, delay, await, await_any_or_fail};
require __DIR__ . '/../says.inc';
$slow = spawn(function () { delay(5); return 'slow'; });
$c = spawn(fn () => await_any_or_fail([$slow]));
suspend();
$c->cancel();
says(fn () => await($c));
says(fn () => await($slow));
?>
--EXPECT--
Async\AsyncCancellation: Coroutine cancelled
"slow"
