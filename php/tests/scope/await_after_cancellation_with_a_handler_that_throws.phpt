--TEST--
R-SCP-15: an exception of the handler goes to the caller of awaitAfterCancellation()
--FILE--
<?php
use function Async\{delay, suspend};
$s = new Async\Scope;
$s->spawn(function () { try { delay(60000); } finally { throw new DomainException('while cleaning up'); } });
suspend();
$s->cancel();
try { $s->awaitAfterCancellation(fn () => throw new LogicException('of the handler')); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
of the handler
