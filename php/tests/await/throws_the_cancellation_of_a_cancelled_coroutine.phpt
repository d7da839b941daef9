--TEST--
await() of a cancelled coroutine throws its AsyncCancellation
--FILE--
<?php
use function Async\{spawn, await, delay};
$c = spawn(function () { delay(10000); });
spawn(function () use ($c) { $c->cancel(); });
try {
    await($c);
} catch (Async\AsyncCancellation $e) {
    echo $e->getMessage(), "\n";
}
var_dump($c->isCancelled());
?>
--EXPECT--
Coroutine cancelled
bool(true)
