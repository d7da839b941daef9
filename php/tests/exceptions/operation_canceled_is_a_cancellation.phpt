--TEST--
OperationCanceledException is an AsyncCancellation: catch (Exception) does not see it
--FILE--
<?php
use function Async\timeout;
try {
    try { (new Async\Channel)->recv(timeout(1)); } catch (Exception) { echo "never\n"; }
} catch (Async\AsyncCancellation $e) {
    echo get_class($e), "\n";
}
?>
--EXPECT--
Async\OperationCanceledException
