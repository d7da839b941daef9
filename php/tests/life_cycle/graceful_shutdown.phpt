--TEST--
graceful_shutdown() cancels everything; the caller goes on to its next suspension
--FILE--
<?php
use function Async\{spawn, delay, suspend, graceful_shutdown};
spawn(function () { try { delay(60000); } catch (Async\AsyncCancellation $e) { echo 'other: ', $e->getMessage(), "\n"; } });
spawn(function () {
    graceful_shutdown(new Async\AsyncCancellation('going down'));
    echo "caller goes on\n";
    try { suspend(); } catch (Async\AsyncCancellation $e) { echo 'caller: ', $e->getMessage(), "\n"; }
    try { $late = spawn(fn () => print("never\n")); suspend(); var_dump($late->isCancelled()); } catch (Async\AsyncCancellation $e) { echo "again\n"; }
});
?>
--EXPECT--
caller goes on
caller: going down
other: going down
bool(true)
