--TEST--
A fatal error in a coroutine with output buffers is printed, with what is in them
--FILE--
<?php
ob_start();
echo "main\n";
Async\spawn(function () {
    ob_start(fn($text) => strtoupper($text));
    echo "in the coroutine\n";
    trigger_error('lost', E_USER_ERROR);
});
Async\delay(60000);
?>
--EXPECTF--
IN THE COROUTINE

FATAL ERROR: LOST IN %s
main
