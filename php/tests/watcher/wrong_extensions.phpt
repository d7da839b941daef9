--TEST--
Extensions are strings
--FILE--
<?php
use Async\FileSystemWatcher;
require __DIR__ . '/../says.inc';
says(fn () => new FileSystemWatcher(__DIR__, extensions: [5]));
?>
--EXPECT--
TypeError: Async\FileSystemWatcher::__construct(): Argument #6 ($extensions) must be an array of strings, int given
