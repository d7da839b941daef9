--TEST--
A handler that the script takes back after main was cancelled is not called
--FILE--
<?php
use function Async\{spawn, await};
set_exception_handler(fn($e) => print("handled\n"));
$c = spawn(fn() => null);
$c->cancel();
try { await($c); } catch (Async\AsyncCancellation) {}
restore_exception_handler();
spawn(function () { throw new Exception("x"); });
?>
--EXPECTF--
Fatal error: Uncaught Exception: x in %s
Stack trace:
#0 [internal function]: {closure}()
#1 {main}
  thrown in %s on line %d
