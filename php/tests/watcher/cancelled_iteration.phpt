--TEST--
Cancelling the coroutine ends its loop; the watcher stays open
--FILE--
<?php
use Async\FileSystemWatcher;
use function Async\{spawn, suspend, await};
require __DIR__ . '/../says.inc';
$w = new FileSystemWatcher(__DIR__);
$c = spawn(function () use ($w) { foreach ($w as $e) echo "never\n"; });
suspend();
$c->cancel();
says(fn () => await($c));
var_dump($w->isClosed());
$w->close();
?>
--EXPECT--
Async\AsyncCancellation: Coroutine cancelled
bool(false)
