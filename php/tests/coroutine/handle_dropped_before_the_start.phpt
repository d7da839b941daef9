--TEST--
A coroutine whose handle is dropped runs all the same
--FILE--
<?php
use function Async\{spawn, suspend};
spawn(fn () => print("ran\n"));
gc_collect_cycles();
suspend();
?>
--EXPECT--
ran
