--TEST--
getAwaitingInfo() describes what a coroutine waits for
--FILE--
<?php
use function Async\{spawn, suspend, delay};
$c = spawn(fn () => delay(5));
var_dump($c->getAwaitingInfo());
suspend();
var_dump(count($c->getAwaitingInfo()));
?>
--EXPECT--
array(0) {
}
int(1)
