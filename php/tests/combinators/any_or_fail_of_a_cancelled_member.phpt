--TEST--
A member that was cancelled settles with its cancellation
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, suspend, delay, await_any_or_fail};
require __DIR__ . '/../says.inc';
$c = spawn(fn () => delay(60000));
suspend();
$c->cancel(new AsyncCancellation('gone'));
says(fn () => await_any_or_fail([$c]));
?>
--EXPECT--
Async\AsyncCancellation: gone
