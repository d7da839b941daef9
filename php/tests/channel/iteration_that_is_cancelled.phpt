--TEST--
A cancellation leaves a loop that waits, and the channel stays open
--FILE--
<?php
use function Async\{await, spawn, suspend};
$ch = new Async\Channel;
$loop = spawn(function () use ($ch) { foreach ($ch as $value) echo "never\n"; });
suspend();
$loop->cancel(new Async\AsyncCancellation('enough'));
try { await($loop); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
var_dump($ch->isClosed());
?>
--EXPECT--
enough
bool(false)
