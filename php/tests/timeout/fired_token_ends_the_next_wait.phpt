--TEST--
A fired timeout ends the next wait at once
--FILE--
<?php
use function Async\{spawn, delay, await, timeout};
require __DIR__ . '/../says.inc';
$slow = spawn(fn () => delay(60000));
$t = timeout(1);
says(fn () => await($t));
says(fn () => await($slow, $t));
$slow->cancel();
?>
--EXPECT--
Async\TimeoutException: Timeout occurred after 1 milliseconds
Async\OperationCanceledException: Operation has been cancelled
