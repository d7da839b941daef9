--TEST--
Main suspends as well: coroutines run while it sleeps
--FILE--
<?php
Async\spawn(function () { echo "coroutine\n"; });
usleep(1000);
echo "main\n";
?>
--EXPECT--
coroutine
main
