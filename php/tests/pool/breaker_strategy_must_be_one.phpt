--TEST--
setCircuitBreakerStrategy() refuses other objects
--FILE--
<?php
require __DIR__ . '/../says.inc';
$pool = new Async\Pool(fn () => new stdClass);
says(fn () => $pool->setCircuitBreakerStrategy(new stdClass));
says(fn () => $pool->setCircuitBreakerStrategy());
?>
--EXPECT--
TypeError: Async\Pool::setCircuitBreakerStrategy(): Argument #1 ($strategy) must be of type ?Async\CircuitBreakerStrategy, stdClass given
ArgumentCountError: Async\Pool::setCircuitBreakerStrategy() expects exactly 1 argument, 0 given
