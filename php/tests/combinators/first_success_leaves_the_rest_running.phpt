--TEST--
await_first_success() does not cancel the others
--FILE--
<?php
use function Async\{spawn, suspend, await, await_first_success};
$slow = spawn(function () { suspend(); suspend(); return 'slow'; });
await_first_success([spawn(fn () => 1), $slow]);
var_dump(await($slow));
?>
--EXPECT--
string(4) "slow"
