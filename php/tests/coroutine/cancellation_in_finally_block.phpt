--TEST--
A finally block that runs because of a cancellation may suspend
--FILE--
<?php
use function Async\{spawn, suspend, delay, await};
require __DIR__ . '/../says.inc';
$c = spawn(function () { try { delay(60000); } finally { echo "begin\n"; delay(1); echo "end\n"; } });
suspend();
$c->cancel();
says(fn () => await($c));
?>
--EXPECT--
begin
end
Async\AsyncCancellation: Coroutine cancelled
