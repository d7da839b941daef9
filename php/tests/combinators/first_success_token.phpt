--TEST--
A token ends await_first_success()
--FILE--
<?php
use function Async\{spawn, delay, await_first_success};
require __DIR__ . '/../says.inc';
$slow = spawn(fn () => delay(60000));
says(fn () => await_first_success([$slow], spawn(fn () => 1)));
$slow->cancel();
?>
--EXPECT--
Async\OperationCanceledException: Operation has been cancelled
