--TEST--
R-CAN-8: a second cancellation while one is pending is dropped
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, suspend, delay, await};
require __DIR__ . '/../says.inc';
$c = spawn(fn () => delay(60000));
suspend();
$c->cancel(new AsyncCancellation('first'));
$c->cancel(new AsyncCancellation('second'));
says(fn () => await($c));
?>
--EXPECT--
Async\AsyncCancellation: first
