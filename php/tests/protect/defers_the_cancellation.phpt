--TEST--
O-8: a cancellation inside protect() is thrown at its end; what follows is not reached
--FILE--
<?php
use function Async\{spawn, await, suspend, protect};
$c = spawn(function () {
    protect(function () {
        for ($i = 1; $i <= 3; ++$i) { echo "step $i\n"; suspend(); }
    });
    echo "never\n";
});
suspend();
$c->cancel();
var_dump($c->isCancellationRequested());
$c->cancel(new Async\AsyncCancellation('later ones are ignored'));
try { await($c); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
step 1
bool(true)
step 2
step 3
Coroutine cancelled
