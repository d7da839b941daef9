--TEST--
await_any_of_or_fail() refuses a negative number
--FILE--
<?php
use function Async\await_any_of_or_fail;
require __DIR__ . '/../says.inc';
says(fn () => await_any_of_or_fail(-1, []));
?>
--EXPECT--
ValueError: Async\await_any_of_or_fail(): Argument #1 ($count) must be greater than or equal to 0
