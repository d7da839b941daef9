--TEST--
A cancellation ends delay() at once
--FILE--
<?php
use function Async\{spawn, await, delay};
$c = spawn(function () { try { delay(60000); } finally { echo "cleaned up\n"; } });
spawn(fn () => $c->cancel(new Async\AsyncCancellation('enough')));
try { await($c); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
cleaned up
enough
