--TEST--
R-SCP-9: disposeAfterTimeout() does nothing to an empty scope
--FILE--
<?php
use function Async\{await, delay};
$s = new Async\Scope;
$s->disposeAfterTimeout(1);
delay(5);
var_dump($s->isClosed(), await($s->spawn(fn () => 'still open')));
?>
--EXPECT--
bool(false)
string(10) "still open"
