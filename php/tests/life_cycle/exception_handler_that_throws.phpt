--TEST--
What the exception handler throws for the exception of a coroutine is reported
--FILE--
<?php
use function Async\spawn;
set_exception_handler(function ($e) {
    echo "handler: ", $e->getMessage(), "\n";
    throw new LogicException("second");
});
spawn(function () { throw new Exception("x"); });
?>
--EXPECTF--
handler: x

Fatal error: Uncaught LogicException: second in %s:%d
Stack trace:
%A
