--TEST--
timeout() gives a Timeout, which is a Completable and pending
--FILE--
<?php
use Async\{Completable, Timeout};
use function Async\timeout;
$t = timeout(1000);
var_dump($t instanceof Timeout, $t instanceof Completable, $t->isCompleted(), $t->isCancelled());
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
bool(false)
