--TEST--
A token ends a wait inside a section
--FILE--
<?php
use function Async\{spawn, protect, delay, await, timeout, graceful_shutdown};
require __DIR__ . '/../says.inc';
$c = spawn(fn () => protect(function () { says(fn () => await(spawn(fn () => delay(60000)), timeout(1))); return 'value'; }));
var_dump(await($c));
graceful_shutdown();
?>
--EXPECT--
Async\OperationCanceledException: Operation has been cancelled
string(5) "value"
