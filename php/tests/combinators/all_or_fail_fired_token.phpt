--TEST--
R-AWT-10: a token that has fired ends a combinator that would wait
--FILE--
<?php
use function Async\{spawn, delay, await, await_any_or_fail, await_first_success, await_all_or_fail, await_all, await_any_of_or_fail, await_any_of};
require __DIR__ . '/../says.inc';
$token = spawn(fn () => 1);
await($token);
$slow = spawn(fn () => delay(60000));
foreach ([fn () => await_all_or_fail([$slow], $token), fn () => await_all([$slow], $token), fn () => await_any_or_fail([$slow], $token), fn () => await_first_success([$slow], $token), fn () => await_any_of(1, [$slow], $token), fn () => await_any_of_or_fail(1, [$slow], $token)] as $f) says($f);
$slow->cancel();
?>
--EXPECT--
Async\OperationCanceledException: Operation has been cancelled
Async\OperationCanceledException: Operation has been cancelled
Async\OperationCanceledException: Operation has been cancelled
Async\OperationCanceledException: Operation has been cancelled
Async\OperationCanceledException: Operation has been cancelled
Async\OperationCanceledException: Operation has been cancelled
