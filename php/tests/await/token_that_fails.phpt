--TEST--
A token that fails ends the wait with its exception as previous
--FILE--
<?php
use Async\OperationCanceledException;
use function Async\{spawn, delay, await};
$slow = spawn(fn () => delay(60000));
$token = spawn(fn () => throw new DomainException('token'));
try { await($slow, $token); } catch (OperationCanceledException $e) { echo get_class($e->getPrevious()), ' ', $e->getPrevious()->getMessage(), "\n"; }
$slow->cancel();
?>
--EXPECT--
DomainException token
