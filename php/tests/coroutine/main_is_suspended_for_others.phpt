--TEST--
Another coroutine sees main parked
--FILE--
<?php
use function Async\{spawn, suspend, await, current_coroutine, root_context};
root_context();
$main = current_coroutine();
await(spawn(function () use ($main) { var_dump($main->isSuspended(), $main->isRunning()); }));
?>
--EXPECT--
bool(true)
bool(true)
