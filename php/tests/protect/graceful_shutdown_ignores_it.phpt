--TEST--
R-CAN-13: graceful shutdown ignores protection
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, suspend, protect, delay, graceful_shutdown};
$c = spawn(fn () => protect(function () { try { delay(60000); } catch (AsyncCancellation $e) { echo $e->getMessage(), "\n"; throw $e; } }));
suspend();
graceful_shutdown();
?>
--EXPECT--
Graceful shutdown
