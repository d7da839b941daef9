--TEST--
A watcher cannot be cloned, serialized or given properties
--FILE--
<?php
use Async\FileSystemWatcher;
require __DIR__ . '/../says.inc';
$w = new FileSystemWatcher(__DIR__);
says(fn () => clone $w);
says(fn () => serialize($w));
says(function () use ($w) { $w->x = 1; });
$w->close();
?>
--EXPECT--
Error: Trying to clone an uncloneable object of class Async\FileSystemWatcher
Exception: Serialization of 'Async\FileSystemWatcher' is not allowed
Error: Cannot create dynamic property Async\FileSystemWatcher::$x
