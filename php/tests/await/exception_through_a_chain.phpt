--TEST--
An exception passes through a chain of waiting coroutines and is handled once
--FILE--
<?php
use function Async\{spawn, await};
require __DIR__ . '/../says.inc';
$a = spawn(fn () => throw new DomainException('deep'));
$b = spawn(fn () => await($a));
says(fn () => await($b));
?>
--EXPECT--
DomainException: deep
