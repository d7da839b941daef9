--TEST--
Cancelling the caller ends the iterator with its finally blocks
--FILE--
<?php
use function Async\{spawn, delay, await, await_all};
require __DIR__ . '/../says.inc';
function source() { try { yield spawn(fn () => 1); delay(60000); yield 2; } finally { echo "source ends\n"; } }
$c = spawn(fn () => await_all(source()));
delay(1);
$c->cancel();
says(fn () => await($c));
delay(1);
?>
--EXPECT--
source ends
Async\AsyncCancellation: Coroutine cancelled
