--TEST--
A class of the user that implements Completable cannot be a token
--FILE--
<?php
use Async\{Completable, AsyncCancellation};
use function Async\{spawn, await};
require __DIR__ . '/../says.inc';
class Mine implements Completable {
    public function cancel(?AsyncCancellation $cancellation = null): void {}
    public function isCompleted(): bool { return false; }
    public function isCancelled(): bool { return false; }
}
says(fn () => await(spawn(fn () => 1), new Mine));
?>
--EXPECT--
Async\AsyncException: Expected item to be an Async\Awaitable object
