--TEST--
A function of map() that throws fails its future; catch() behind it takes the failure
--FILE--
<?php
use Async\Future;
echo Future::completed('x')->map(fn ($x) => throw new DomainException("no $x"))->catch(fn ($e) => get_class($e) . ': ' . $e->getMessage())->await(), "\n";
?>
--EXPECT--
DomainException: no x
