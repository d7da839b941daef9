--TEST--
A token ends await_all_or_fail(), with what it threw as previous
--FILE--
<?php
use Async\OperationCanceledException;
use function Async\{spawn, delay, await_all_or_fail};
$slow = spawn(fn () => delay(60000));
$token = spawn(fn () => throw new DomainException('token'));
try { await_all_or_fail([$slow], $token); } catch (OperationCanceledException $e) { echo $e->getPrevious()->getMessage(), "\n"; }
$slow->cancel();
?>
--EXPECT--
token
