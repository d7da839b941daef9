--TEST--
A token that is cancelled ends the wait with the cancellation as previous
--FILE--
<?php
use Async\{AsyncCancellation, OperationCanceledException};
use function Async\{spawn, delay, await};
$slow = spawn(fn () => delay(60000));
$token = spawn(fn () => delay(60000));
$token->cancel(new AsyncCancellation('token stopped'));
try { await($slow, $token); } catch (OperationCanceledException $e) { echo get_class($e->getPrevious()), ' ', $e->getPrevious()->getMessage(), "\n"; }
$slow->cancel();
?>
--EXPECT--
Async\AsyncCancellation token stopped
