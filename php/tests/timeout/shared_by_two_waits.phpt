--TEST--
One timeout ends all waits that use it
--FILE--
<?php
use function Async\{spawn, delay, await, await_all, timeout};
require __DIR__ . '/../says.inc';
$slow = spawn(fn () => delay(60000));
$t = timeout(2);
$wait = function () use ($slow, $t) { says(fn () => await($slow, $t)); };
await_all([spawn($wait), spawn($wait)]);
$slow->cancel();
?>
--EXPECT--
Async\OperationCanceledException: Operation has been cancelled
Async\OperationCanceledException: Operation has been cancelled
