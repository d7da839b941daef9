--TEST--
allowZombies() and asNotSafely() give the scope back; the last one counts
--FILE--
<?php
use function Async\{delay, suspend};
$s = new Async\Scope;
var_dump($s->allowZombies() === $s, $s->asNotSafely() === $s);
$s->spawn(function () { try { delay(60000); } finally { echo "cancelled\n"; } });
suspend();
$s->dispose();
?>
--EXPECT--
bool(true)
bool(true)
cancelled
