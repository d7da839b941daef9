--TEST--
A coroutine may catch its cancellation and finish its work; it counts as cancelled
--FILE--
<?php
use function Async\{spawn, await, delay, suspend};
$c = spawn(function () { try { delay(10000); } catch (Async\AsyncCancellation) { delay(1); return 'saved'; } });
suspend();
$c->cancel();
var_dump(await($c), $c->isCancelled());
?>
--EXPECT--
string(5) "saved"
bool(true)
