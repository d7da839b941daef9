--TEST--
A token that completes normally ends the wait without a previous exception
--FILE--
<?php
use Async\OperationCanceledException;
use function Async\{spawn, delay, await};
$slow = spawn(fn () => delay(60000));
$token = spawn(fn () => 'done');
try { await($slow, $token); } catch (OperationCanceledException $e) { echo $e->getMessage(), ' ', json_encode($e->getPrevious()), "\n"; }
$slow->cancel();
?>
--EXPECT--
Operation has been cancelled null
