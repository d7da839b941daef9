--TEST--
disposeAfterTimeout() disposes the scope later; negative times are refused
--FILE--
<?php
use function Async\{delay, suspend};
$s = new Async\Scope;
try { $s->disposeAfterTimeout(-1); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
$s->spawn(function () { try { delay(10000); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; } });
suspend();
$s->disposeAfterTimeout(3);
delay(10);
?>
--EXPECT--
Async\Scope::disposeAfterTimeout(): Argument #1 ($timeout) must be greater than or equal to 0
Scope has been disposed due to timeout
