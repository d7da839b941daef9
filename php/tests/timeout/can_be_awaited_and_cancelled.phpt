--TEST--
await() of a timeout throws TimeoutException; a cancelled one never fires
--FILE--
<?php
use function Async\{await, timeout};
try {
    await(timeout(1));
} catch (Async\TimeoutException $e) {
    echo $e->getMessage(), "\n";
}
$t = timeout(10000);
$t->cancel();
var_dump($t->isCompleted(), $t->isCancelled(), await($t));
?>
--EXPECT--
Timeout occurred after 1 milliseconds
bool(true)
bool(true)
NULL
