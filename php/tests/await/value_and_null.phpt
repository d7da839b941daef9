--TEST--
await() gives the value of a coroutine; null if it returned nothing; again and again
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(fn () => [1, 2]);
var_dump(await($c) === [1, 2], await($c) === [1, 2]);
var_dump(await(spawn(function () {})));
?>
--EXPECT--
bool(true)
bool(true)
NULL
