--TEST--
await() throws a TypeError for what is not a Completable
--FILE--
<?php
try {
    Async\await(new stdClass);
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
class Mine implements Async\Completable {
    public function cancel(?Async\AsyncCancellation $cancellation = null): void {}
    public function isCompleted(): bool { return true; }
    public function isCancelled(): bool { return false; }
}
try {
    Async\await(new Mine);
} catch (Async\AsyncException $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
Async\await(): Argument #1 ($awaitable) must be of type Async\Completable, stdClass given
Expected item to be an Async\Awaitable object
