--TEST--
A delay inside a section runs its full time
--FILE--
<?php
use function Async\{spawn, suspend, protect, delay, await};
require __DIR__ . '/../says.inc';
$c = spawn(fn () => protect(function () { $t = hrtime(true); delay(10); var_dump((hrtime(true) - $t) / 1e6 >= 10); }));
suspend();
$c->cancel();
says(fn () => await($c));
?>
--EXPECT--
bool(true)
Async\AsyncCancellation: Coroutine cancelled
