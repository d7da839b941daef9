--TEST--
The token ends awaitCompletion(); the scope goes on
--FILE--
<?php
use function Async\{delay, timeout};
$s = new Async\Scope;
$s->spawn(function () { delay(20); echo "still runs\n"; });
try {
    $s->awaitCompletion(timeout(2));
} catch (Async\OperationCanceledException $e) {
    echo get_class($e->getPrevious()), "\n";
}
$s->awaitCompletion(timeout(5000));
?>
--EXPECT--
Async\TimeoutException
still runs
