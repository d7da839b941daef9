--TEST--
R-EXC-4: an exception whose handle is dropped unread ends the script
--FILE--
<?php
use function Async\{spawn, suspend};
$c = spawn(function () { throw new RuntimeException('dropped'); });
suspend();
unset($c);
try {
    suspend();
    Async\delay(1000);
    echo "never\n";
} catch (Async\AsyncCancellation $e) {
    echo get_class($e), ': ', $e->getMessage(), "\n";
}
?>
--EXPECTF--
Async\AsyncCancellation: Graceful shutdown

Fatal error: Uncaught RuntimeException: dropped in %s:%d
Stack trace:
#0 [internal function]: {closure}()
#1 {main}
  thrown in %s on line %d
