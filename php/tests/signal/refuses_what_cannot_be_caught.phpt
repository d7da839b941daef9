--TEST--
SIGKILL and SIGSEGV cannot be caught
--FILE--
<?php
use Async\Signal;
use function Async\signal;
require __DIR__ . '/../says.inc';
foreach ([Signal::SIGKILL, Signal::SIGSEGV] as $s) says(fn () => signal($s));
?>
--EXPECT--
ValueError: Async\signal(): Argument #1 ($signal) must be a signal that can be caught
ValueError: Async\signal(): Argument #1 ($signal) must be a signal that can be caught
