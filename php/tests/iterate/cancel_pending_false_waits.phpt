--TEST--
With cancelPending: false a failure of a left coroutine reaches the caller
--FILE--
<?php
use function Async\{iterate, spawn, suspend};
try {
    iterate([1], function () { spawn(function () { suspend(); suspend(); throw new DomainException('left behind'); }); }, cancelPending: false);
} catch (DomainException $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
left behind
