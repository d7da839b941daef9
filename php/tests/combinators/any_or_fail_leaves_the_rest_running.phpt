--TEST--
await_any_or_fail() does not cancel the others
--FILE--
<?php
use function Async\{spawn, suspend, await, await_any_or_fail};
$slow = spawn(function () { suspend(); suspend(); return 'slow'; });
await_any_or_fail([$slow, spawn(fn () => 'fast')]);
var_dump($slow->isCancelled(), await($slow));
?>
--EXPECT--
bool(false)
string(4) "slow"
