--TEST--
P-8: a backtrace of a coroutine ends at its entry
--FILE--
<?php
function inner() { return array_map(fn ($f) => $f['function'], debug_backtrace()); }
function work() { Async\suspend(); return inner(); }
echo implode(' ', Async\await(Async\spawn('work'))), "\n";
?>
--EXPECT--
inner work
