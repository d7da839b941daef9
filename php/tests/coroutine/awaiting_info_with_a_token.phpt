--TEST--
getAwaitingInfo() lists the awaited object and the token
--FILE--
<?php
use function Async\{spawn, suspend, delay, await, timeout};
$a = spawn(fn () => delay(5));
$b = spawn(fn () => await($a, timeout(1000)));
suspend();
var_dump(count($b->getAwaitingInfo()));
?>
--EXPECT--
int(2)
