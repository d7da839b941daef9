--TEST--
The user's exception handler gets the unhandled exception of a coroutine
--FILE--
<?php
use function Async\spawn;
set_exception_handler(fn ($e) => print('handler: ' . $e->getMessage() . "\n"));
spawn(function () { throw new RuntimeException('unhandled'); });
?>
--EXPECT--
handler: unhandled
