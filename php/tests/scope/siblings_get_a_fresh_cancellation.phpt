--TEST--
R-SCP-18: the siblings of a failed coroutine are cancelled with an exception of their own
--FILE--
<?php
use function Async\{delay, timeout};
$s = new Async\Scope;
$s->spawn(function () {
    try { delay(60000); } catch (Async\AsyncCancellation $e) { echo get_class($e), ' ', json_encode($e instanceof DomainException), "\n"; throw $e; }
});
$s->spawn(fn () => throw new DomainException('cause'));
try { $s->awaitCompletion(timeout(5000)); } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Async\AsyncCancellation false
cause
