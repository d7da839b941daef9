--TEST--
O-6: a coroutine that cancels its own scope goes on until it ends
--FILE--
<?php
use function Async\await;
$s = new Async\Scope;
$c = $s->spawn(function () use ($s) { $s->cancel(); echo "goes on\n"; });
try { await($c); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
goes on
Scope was cancelled
