--TEST--
A second cancel() changes nothing
--FILE--
<?php
use function Async\{delay, suspend};
$s = new Async\Scope;
$s->finally(fn () => print("finally\n"));
$s->spawn(function () { try { delay(60000); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; suspend(); throw $e; } });
suspend();
$s->cancel(new Async\AsyncCancellation('first'));
$s->cancel(new Async\AsyncCancellation('second'));
$s->awaitAfterCancellation();
$s->cancel(new Async\AsyncCancellation('third'));
suspend();
?>
--EXPECT--
first
finally
