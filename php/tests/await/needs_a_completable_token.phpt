--TEST--
The token of await() must be a Completable
--FILE--
<?php
use Async\Channel;
use function Async\{spawn, await};
require __DIR__ . '/../says.inc';
says(fn () => await(spawn(fn () => 1), new Channel));
?>
--EXPECT--
TypeError: Async\await(): Argument #2 ($cancellation) must be of type ?Async\Completable, Async\Channel given
