--TEST--
graceful_shutdown() cancels the others with its default text
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, suspend, delay, graceful_shutdown};
require __DIR__ . '/../says.inc';
spawn(function () { try { delay(60000); } catch (AsyncCancellation $e) { echo $e->getMessage(), "\n"; } });
suspend();
graceful_shutdown();
echo "the caller goes on\n";
says(fn () => suspend());
?>
--EXPECT--
the caller goes on
Graceful shutdown
Async\AsyncCancellation: Graceful shutdown
