--TEST--
A token that fires first ends await() with its exception as previous; the awaited goes on
--FILE--
<?php
use function Async\{spawn, await, delay, timeout};
$c = spawn(function () { delay(30); return 'done'; });
try {
    await($c, timeout(5));
} catch (Async\OperationCanceledException $e) {
    echo $e->getMessage(), "\n";
    echo get_class($e->getPrevious()), ': ', $e->getPrevious()->getMessage(), "\n";
}
var_dump($c->isCompleted());
echo await($c, timeout(5000)), "\n";
?>
--EXPECT--
Operation has been cancelled
Async\TimeoutException: Timeout occurred after 5 milliseconds
bool(false)
done
