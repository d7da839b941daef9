--TEST--
A watcher cannot be iterated by reference
--FILE--
<?php
use Async\FileSystemWatcher;
require __DIR__ . '/../says.inc';
$w = new FileSystemWatcher(__DIR__);
says(function () use ($w) { foreach ($w as &$e) echo "never\n"; });
$w->close();
?>
--EXPECT--
Error: Cannot iterate FileSystemWatcher by reference
