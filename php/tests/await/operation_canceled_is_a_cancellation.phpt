--TEST--
OperationCanceledException is no Exception and no Error
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, delay, await};
try {
    try { await(spawn(fn () => delay(1)), Async\Future::completed()); } catch (Exception|Error) { echo "wrong\n"; }
} catch (AsyncCancellation $e) { echo get_class($e), "\n"; }
?>
--EXPECT--
Async\OperationCanceledException
