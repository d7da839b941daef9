--TEST--
A named argument that the function does not know is an Error of the coroutine
--FILE--
<?php
use function Async\{spawn, await};
require __DIR__ . '/../says.inc';
$c = spawn(fn (int $a) => $a, b: 1);
says(fn () => await($c));
?>
--EXPECT--
Error: Unknown named parameter $b
