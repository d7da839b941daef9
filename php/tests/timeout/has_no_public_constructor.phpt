--TEST--
A Timeout cannot be constructed, not even by reflection
--FILE--
<?php
try {
    new Async\Timeout;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
try {
    (new ReflectionClass(Async\Timeout::class))->newInstanceWithoutConstructor();
} catch (ReflectionException $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
Call to private Async\Timeout::__construct() from global scope
Class Async\Timeout is an internal class marked as final that cannot be instantiated without invoking its constructor
