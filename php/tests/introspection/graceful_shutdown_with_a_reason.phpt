--TEST--
The given exception is the one the coroutines get
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, suspend, delay, graceful_shutdown};
$reason = new AsyncCancellation('maintenance');
$c = spawn(function () use ($reason) { try { delay(60000); } catch (AsyncCancellation $e) { var_dump($e === $reason); } });
suspend();
graceful_shutdown($reason);
?>
--EXPECT--
bool(true)
