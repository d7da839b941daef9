--TEST--
A coroutine that cancels itself goes on to its next suspension
--FILE--
<?php
use function Async\{spawn, await, suspend, current_coroutine};
$c = spawn(function () { current_coroutine()->cancel(); echo "goes on\n"; suspend(); echo "never\n"; });
try { await($c); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
goes on
Coroutine cancelled
