--TEST--
suspend() returns at once if no other coroutine is ready, and before the runtime has started
--FILE--
<?php
Async\suspend();
echo "not started\n";
Async\spawn(fn () => 1);
Async\suspend();
Async\suspend();
echo "alone\n";
?>
--EXPECT--
not started
alone
