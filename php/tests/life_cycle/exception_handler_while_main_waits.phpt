--TEST--
The exception handler of the user gets the exception of a coroutine while main waits
--FILE--
<?php
use function Async\{spawn, delay};
set_exception_handler(function ($e) { echo "handler: ", $e->getMessage(), "\n"; });
spawn(function () { throw new Exception("x"); });
delay(60_000);
echo "not reached\n";
?>
--EXPECT--
handler: x
