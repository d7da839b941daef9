--TEST--
A timeout that is cancelled while a coroutine waits for it does not fire
--FILE--
<?php
use Async\TimeoutException;
use function Async\{spawn, suspend, await, timeout};
$t = timeout(60000);
$c = spawn(fn () => await($t));
suspend();
$t->cancel();
try { await($c); echo "no exception\n"; } catch (Throwable $e) { echo $e instanceof TimeoutException ? 'fired' : 'not fired', "\n"; }
?>
--EXPECTF--
no%A
