--TEST--
suspend() of a coroutine that was cancelled meanwhile throws
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, suspend, await};
require __DIR__ . '/../says.inc';
$c = spawn(function () { try { suspend(); } catch (AsyncCancellation $e) { echo $e->getMessage(), "\n"; throw $e; } });
suspend();
$c->cancel(new AsyncCancellation('stop'));
says(fn () => await($c));
?>
--EXPECT--
stop
Async\AsyncCancellation: stop
