--TEST--
Cancelling a waiter does not cancel what it waits for
--FILE--
<?php
use function Async\{spawn, suspend, await};
require __DIR__ . '/../says.inc';
$c = spawn(function () { suspend(); suspend(); return 'value'; });
$w = spawn(fn () => await($c));
suspend();
$w->cancel();
says(fn () => await($w));
var_dump(await($c));
?>
--EXPECT--
Async\AsyncCancellation: Coroutine cancelled
string(5) "value"
