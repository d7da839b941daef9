--TEST--
The other callbacks learn why they are cancelled
--FILE--
<?php
use function Async\{delay, iterate, suspend};
try {
    iterate([1, 2], function ($x) {
        if ($x === 2) { suspend(); throw new DomainException('two'); }
        try { delay(60000); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; throw $e; }
    });
} catch (DomainException $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
Cancellation of the iterator due to an exception
two
