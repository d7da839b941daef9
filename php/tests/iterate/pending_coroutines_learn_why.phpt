--TEST--
Coroutines that callbacks leave behind learn why they are cancelled
--FILE--
<?php
use function Async\{delay, iterate, spawn, suspend};
iterate([1], function () {
    spawn(function () { try { delay(60000); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; throw $e; } });
    suspend();
});
echo "done\n";
?>
--EXPECT--
Cancellation of pending coroutines after iterator completion
done
