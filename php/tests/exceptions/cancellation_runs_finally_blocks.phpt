--TEST--
A cancellation runs the finally blocks from the inside to the outside
--FILE--
<?php
use function Async\{delay, spawn, suspend};
function inner() { try { delay(60000); } finally { echo "inner\n"; } }
$c = spawn(function () { try { try { inner(); } catch (Exception) { echo "never\n"; } finally { echo "middle\n"; } } finally { echo "outer\n"; } });
suspend();
$c->cancel();
?>
--EXPECT--
inner
middle
outer
