--TEST--
finally handlers run for a coroutine that never started
--FILE--
<?php
use function Async\{spawn, suspend};
$c = spawn(fn () => print("never\n"));
$c->finally(fn ($c) => print('handler: ' . json_encode($c->isCancelled()) . "\n"));
$c->cancel();
suspend();
suspend();
?>
--EXPECT--
handler: true
