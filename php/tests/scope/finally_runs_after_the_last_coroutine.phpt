--TEST--
R-SCP-17: finally handlers run when the last coroutine of a cancelled scope has ended
--FILE--
<?php
use function Async\{delay, suspend};
$s = new Async\Scope;
$s->finally(fn () => print("finally\n"));
$s->spawn(function () { try { delay(60000); } finally { suspend(); echo "cleaned up\n"; } });
suspend();
$s->cancel();
$s->awaitAfterCancellation();
?>
--EXPECT--
cleaned up
finally
