--TEST--
Times below 0 are refused, very long ones are not
--FILE--
<?php
use Async\FileSystemWatcher;
require __DIR__ . '/../says.inc';
says(fn () => new FileSystemWatcher(__DIR__, debounceMs: -1));
says(fn () => new FileSystemWatcher(__DIR__, maxHoldMs: -1));
says(fn () => (new FileSystemWatcher(__DIR__, debounceMs: PHP_INT_MAX, maxHoldMs: PHP_INT_MAX))->isClosed());
?>
--EXPECT--
ValueError: Async\FileSystemWatcher::__construct(): Argument #4 ($debounceMs) must be greater than or equal to 0
ValueError: Async\FileSystemWatcher::__construct(): Argument #5 ($maxHoldMs) must be greater than or equal to 0
false
