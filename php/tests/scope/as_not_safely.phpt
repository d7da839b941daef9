--TEST--
asNotSafely() makes a scope cancel its leftovers
--FILE--
<?php
use function Async\{delay, suspend};
$s = Async\Scope::inherit();
var_dump($s->asNotSafely() === $s);
$s->spawn(function () { try { delay(10000); } finally { echo "cancelled\n"; } });
suspend();
$s->dispose();
?>
--EXPECT--
bool(true)
cancelled
