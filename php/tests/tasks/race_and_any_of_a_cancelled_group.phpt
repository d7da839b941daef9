--TEST--
race() and any() of a group that is cancelled end with its cancellation
--FILE--
<?php
use function Async\{await, delay, spawn, suspend};
foreach (['race', 'any'] as $method) {
    $g = new Async\TaskGroup;
    $g->spawn(fn () => delay(10000));
    $waiter = spawn(fn () => $g->$method()->await());
    suspend();
    $g->cancel();
    foreach ([fn () => await($waiter), fn () => $g->$method()->await()] as $wait) {
        try {
            $wait();
            echo "$method: no exception\n";
        } catch (Throwable $e) {
            $first = $e instanceof Async\CompositeException ? $e->getExceptions()[0] : $e;
            echo $method, ': ', get_class($e), ', ', $first->getMessage(), "\n";
        }
    }
}
?>
--EXPECT--
race: Async\AsyncCancellation, TaskGroup cancelled
race: Async\AsyncCancellation, TaskGroup cancelled
any: Async\CompositeException, TaskGroup cancelled
any: Async\CompositeException, TaskGroup cancelled
