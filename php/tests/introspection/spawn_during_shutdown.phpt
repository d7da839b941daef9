--TEST--
A coroutine that is spawned during the shutdown is cancelled at once
--FILE--
<?php
use function Async\{spawn, suspend, delay, graceful_shutdown};
spawn(function () { try { delay(60000); } finally { spawn(fn () => print("never\n")); echo "cleaned\n"; } });
suspend();
graceful_shutdown();
?>
--EXPECT--
cleaned
