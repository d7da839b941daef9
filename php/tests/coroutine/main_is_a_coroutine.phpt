--TEST--
Main is a coroutine: started, running, not suspended while it runs
--FILE--
<?php
use function Async\{suspend, current_coroutine, root_context};
root_context();
$main = current_coroutine();
var_dump($main->isStarted(), $main->isRunning(), $main->isSuspended(), $main->isCompleted(), $main->isQueued());
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
bool(false)
bool(false)
