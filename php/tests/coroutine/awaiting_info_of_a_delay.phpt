--TEST--
getAwaitingInfo() names the timer of a delay
--FILE--
<?php
use function Async\{spawn, suspend, delay};
$c = spawn(fn () => delay(5));
suspend();
echo $c->getAwaitingInfo()[0], "\n";
?>
--EXPECT--
Timer(timeout=5ms, once)
