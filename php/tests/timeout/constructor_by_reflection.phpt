--TEST--
A Timeout cannot be constructed by reflection
--FILE--
<?php
require __DIR__ . '/../says.inc';
says(fn () => (new ReflectionClass('Async\Timeout'))->newInstance());
says(fn () => (new ReflectionClass('Async\Timeout'))->newInstanceWithoutConstructor());
says(fn () => (new ReflectionMethod('Async\Timeout', '__construct'))->invoke(Async\timeout(5)));
?>
--EXPECT--
ReflectionException: Access to non-public constructor of class Async\Timeout
ReflectionException: Class Async\Timeout is an internal class marked as final that cannot be instantiated without invoking its constructor
Async\AsyncException: Timeout cannot be constructed directly
