--TEST--
After a section cancellations are delivered again
--FILE--
<?php
use function Async\{spawn, suspend, protect, delay, await};
require __DIR__ . '/../says.inc';
$c = spawn(function () { protect(fn () => suspend()); echo "after\n"; delay(60000); });
suspend();
suspend();
$c->cancel();
says(fn () => await($c));
?>
--EXPECT--
after
Async\AsyncCancellation: Coroutine cancelled
