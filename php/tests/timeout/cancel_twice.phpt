--TEST--
Cancelling a timeout twice is harmless
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\timeout;
$t = timeout(1000);
$t->cancel();
$t->cancel(new AsyncCancellation('again'));
var_dump($t->isCancelled());
?>
--EXPECT--
bool(true)
