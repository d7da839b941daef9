--TEST--
A token ends await_any_of() and await_any_of_or_fail()
--FILE--
<?php
use function Async\{spawn, delay, await_any_of_or_fail, await_any_of, timeout};
require __DIR__ . '/../says.inc';
$slow = spawn(fn () => delay(60000));
says(fn () => await_any_of(1, [$slow], timeout(1)));
says(fn () => await_any_of_or_fail(1, [$slow], timeout(1)));
$slow->cancel();
?>
--EXPECT--
Async\OperationCanceledException: Operation has been cancelled
Async\OperationCanceledException: Operation has been cancelled
