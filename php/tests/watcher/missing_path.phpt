--TEST--
A path that does not exist is refused
--FILE--
<?php
use Async\FileSystemWatcher;
require __DIR__ . '/../says.inc';
says(fn () => new FileSystemWatcher('/does/not/exist'));
?>
--EXPECTF--
Async\InputOutputException: Input output error: %s No such file or directory
