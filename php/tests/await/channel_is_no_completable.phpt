--TEST--
A channel cannot be awaited with await()
--FILE--
<?php
use Async\Channel;
use function Async\await;
require __DIR__ . '/../says.inc';
says(fn () => await(new Channel));
?>
--EXPECT--
TypeError: Async\await(): Argument #1 ($awaitable) must be of type Async\Completable, Async\Channel given
