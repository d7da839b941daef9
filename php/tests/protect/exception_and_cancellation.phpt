--TEST--
An exception that leaves a section while a cancellation is deferred is not lost
--FILE--
<?php
use function Async\{spawn, suspend, protect, await};
$c = spawn(function () { protect(function () { suspend(); throw new LogicException('inside'); }); });
suspend();
$c->cancel();
try { await($c); } catch (Throwable $e) { $all = []; for (; $e; $e = $e->getPrevious()) $all[] = get_class($e); sort($all); echo implode(' ', $all), "\n"; }
?>
--EXPECT--
Async\AsyncCancellation LogicException
