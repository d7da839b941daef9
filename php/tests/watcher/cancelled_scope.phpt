--TEST--
Cancelling the scope of the iterating coroutine ends its loop
--FILE--
<?php
use Async\{Scope, FileSystemWatcher};
use function Async\{suspend, await};
require __DIR__ . '/../says.inc';
$w = new FileSystemWatcher(__DIR__);
$s = new Scope;
$c = $s->spawn(function () use ($w) { try { foreach ($w as $e) echo "never\n"; } finally { echo "left\n"; } });
suspend();
$s->cancel();
says(fn () => await($c));
?>
--EXPECT--
left
Async\AsyncCancellation: Scope was cancelled
