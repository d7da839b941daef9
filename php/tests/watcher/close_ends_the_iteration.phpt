--TEST--
close() ends a loop that waits
--FILE--
<?php
use Async\FileSystemWatcher;
use function Async\{spawn, suspend, await};
$w = new FileSystemWatcher(__DIR__);
$c = spawn(function () use ($w) { foreach ($w as $e) echo "never\n"; echo "ended\n"; });
suspend();
$w->close();
await($c);
var_dump($w->isClosed());
?>
--EXPECT--
ended
bool(true)
