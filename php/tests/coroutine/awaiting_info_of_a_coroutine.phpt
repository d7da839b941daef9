--TEST--
getAwaitingInfo() names the coroutine that is awaited
--FILE--
<?php
use function Async\{spawn, suspend, await};
$a = spawn(function () { suspend(); suspend(); });
$b = spawn(fn () => await($a));
suspend();
echo preg_replace('/ at \S+/', ' at PLACE', $b->getAwaitingInfo()[0]), "\n";
?>
--EXPECTF--
Coroutine %d spawned at PLACE%S
