--TEST--
A timeout that has fired is completed and not cancelled
--FILE--
<?php
use function Async\{await, timeout};
require __DIR__ . '/../says.inc';
$t = timeout(1);
says(fn () => await($t));
var_dump($t->isCompleted(), $t->isCancelled());
?>
--EXPECT--
Async\TimeoutException: Timeout occurred after 1 milliseconds
bool(true)
bool(false)
