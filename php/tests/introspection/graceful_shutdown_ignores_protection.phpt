--TEST--
graceful_shutdown() does not wait for protected sections
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, suspend, protect, delay, graceful_shutdown};
spawn(function () { protect(function () { try { delay(60000); } catch (AsyncCancellation $e) { echo $e->getMessage(), "\n"; } }); });
suspend();
graceful_shutdown();
?>
--EXPECT--
Graceful shutdown
