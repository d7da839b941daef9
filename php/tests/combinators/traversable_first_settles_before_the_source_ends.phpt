--TEST--
await_any_or_fail() returns when the first member settles, though the source has more
--FILE--
<?php
use function Async\{spawn, delay, await_any_or_fail};
function endless() { yield spawn(fn () => 'first'); delay(60000); echo "never\n"; yield spawn(fn () => 2); }
var_dump(await_any_or_fail(endless()));
?>
--EXPECT--
string(5) "first"
