--TEST--
spawn_with() refuses a scope that is cancelled but has not ended
--FILE--
<?php
use Async\Scope;
use function Async\{spawn_with, suspend, delay};
require __DIR__ . '/../says.inc';
$s = new Scope;
$s->spawn(function () { try { delay(60000); } finally { suspend(); } });
suspend();
$s->cancel();
says(fn () => spawn_with($s, fn () => 1));
?>
--EXPECT--
Async\AsyncException: Cannot spawn a coroutine in a closed scope
