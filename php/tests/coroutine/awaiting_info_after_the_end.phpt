--TEST--
A completed coroutine waits for nothing
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(fn () => 1);
await($c);
var_dump($c->getAwaitingInfo());
?>
--EXPECT--
array(0) {
}
