--TEST--
finally blocks around await() run when its coroutine is cancelled
--FILE--
<?php
use function Async\{spawn, suspend, delay, await};
$c = spawn(function () { try { delay(60000); } finally { echo "inner\n"; } });
$w = spawn(function () use ($c) { try { await($c); } finally { echo "waiter\n"; } });
suspend();
$w->cancel();
suspend();
echo "main\n";
$c->cancel();
?>
--EXPECT--
waiter
main
inner
