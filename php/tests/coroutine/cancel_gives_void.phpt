--TEST--
cancel() returns nothing and takes null
--FILE--
<?php
use function Async\{spawn, await};
require __DIR__ . '/../says.inc';
$c = spawn(fn () => 1);
var_dump($c->cancel(null));
says(fn () => await($c));
?>
--EXPECT--
NULL
Async\AsyncCancellation: Coroutine cancelled
