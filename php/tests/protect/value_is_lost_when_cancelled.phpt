--TEST--
R-CAN-11: the value of the section is lost when the deferred cancellation is thrown
--FILE--
<?php
use function Async\{spawn, suspend, protect, await};
require __DIR__ . '/../says.inc';
$c = spawn(function () { $x = 'unset'; try { $x = protect(function () { suspend(); return 'value'; }); } finally { echo "$x\n"; } });
suspend();
$c->cancel();
says(fn () => await($c));
?>
--EXPECT--
unset
Async\AsyncCancellation: Coroutine cancelled
