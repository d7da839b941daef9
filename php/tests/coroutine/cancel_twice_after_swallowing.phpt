--TEST--
R-CAN-16: a swallowed cancellation is not delivered again; a new one is
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, suspend, delay, await};
require __DIR__ . '/../says.inc';
$c = spawn(function () { try { delay(60000); } catch (AsyncCancellation $e) { echo $e->getMessage(), "\n"; } delay(60000); });
suspend();
$c->cancel(new AsyncCancellation('one'));
suspend();
var_dump($c->isCompleted());
$c->cancel(new AsyncCancellation('two'));
says(fn () => await($c));
?>
--EXPECTF--
one
bool(false)
Async\AsyncCancellation: %s
