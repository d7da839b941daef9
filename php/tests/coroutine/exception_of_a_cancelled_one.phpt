--TEST--
getException() of a cancelled coroutine is its cancellation
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, suspend, delay};
$c = spawn(fn () => delay(60000));
suspend();
$c->cancel($why = new AsyncCancellation('why'));
suspend();
var_dump($c->getException() === $why, $c->getResult());
?>
--EXPECT--
bool(true)
NULL
