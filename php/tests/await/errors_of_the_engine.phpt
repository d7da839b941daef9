--TEST--
A TypeError of the body arrives as it is
--FILE--
<?php
use function Async\{spawn, await};
require __DIR__ . '/../says.inc';
says(fn () => await(spawn(fn (): int => 'x')));
says(fn () => await(spawn(fn () => intdiv(1, 0))));
?>
--EXPECT--
TypeError: {closure}(): Return value must be of type int, string returned
DivisionByZeroError: Division by zero
