--TEST--
O-13: a coroutine spawned in a shutdown function runs when that has returned
--FILE--
<?php
use function Async\spawn;
register_shutdown_function(function () {
    spawn(function () { echo "spawned\n"; });
    echo "shutdown function\n";
});
spawn(function () { echo "coroutine\n"; });
echo "main\n";
?>
--EXPECT--
main
coroutine
shutdown function
spawned
