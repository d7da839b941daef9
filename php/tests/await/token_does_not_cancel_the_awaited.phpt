--TEST--
The awaited coroutine keeps running when the token ends the wait
--FILE--
<?php
use function Async\{spawn, suspend, await};
require __DIR__ . '/../says.inc';
$c = spawn(function () { for ($i = 0; $i < 4; ++$i) suspend(); echo "ran to its end\n"; });
says(fn () => await($c, spawn(fn () => 1)));
var_dump($c->isCancelled(), $c->isCancellationRequested());
?>
--EXPECT--
Async\OperationCanceledException: Operation has been cancelled
bool(false)
bool(false)
ran to its end
