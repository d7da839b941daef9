--TEST--
A value passes through a chain of waiting coroutines
--FILE--
<?php
use function Async\{spawn, await};
$a = spawn(fn () => 1);
$b = spawn(fn () => await($a) + 1);
$c = spawn(fn () => await($b) + 1);
var_dump(await($c));
?>
--EXPECT--
int(3)
