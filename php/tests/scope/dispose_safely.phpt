--TEST--
disposeSafely() never cancels what has started
--FILE--
<?php
use function Async\{delay, suspend};
$s = new Async\Scope;
$s->spawn(function () { delay(2); echo "ends by itself\n"; });
suspend();
$s->disposeSafely();
?>
--EXPECT--
ends by itself
