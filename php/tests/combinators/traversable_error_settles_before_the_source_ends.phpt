--TEST--
await_all_or_fail() throws the first error though the source has more
--FILE--
<?php
use function Async\{spawn, delay, await_all_or_fail};
require __DIR__ . '/../says.inc';
function endless() { yield spawn(fn () => throw new Exception('early')); delay(60000); echo "never\n"; yield spawn(fn () => 2); }
says(fn () => await_all_or_fail(endless()));
?>
--EXPECT--
Exception: early
