--TEST--
await_all_or_fail() names what it expects of its elements
--FILE--
<?php
use function Async\{spawn, await_all_or_fail};
require __DIR__ . '/../says.inc';
says(fn () => await_all_or_fail([spawn(fn () => 1), 'no']));
?>
--EXPECT--
Async\AsyncException: Expected item to be an Async\Awaitable object
