--TEST--
asHiPriority() of a completed coroutine returns it and does nothing
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(fn () => 1);
await($c);
var_dump($c->asHiPriority() === $c, await($c));
?>
--EXPECT--
bool(true)
int(1)
