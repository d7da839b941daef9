--TEST--
R-SCP-15: without a handler awaitAfterCancellation() throws the failure
--FILE--
<?php
use function Async\{delay, suspend};
$s = new Async\Scope;
$s->spawn(function () { try { delay(60000); } finally { throw new DomainException('while cleaning up'); } });
suspend();
$s->cancel();
try { $s->awaitAfterCancellation(); } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
while cleaning up
