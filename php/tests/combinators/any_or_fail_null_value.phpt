--TEST--
A member that gives null settles with null
--FILE--
<?php
use function Async\{spawn, delay, await_any_or_fail};
var_dump(await_any_or_fail([spawn(fn () => null), spawn(function () { delay(1); return 1; })]));
?>
--EXPECT--
NULL
