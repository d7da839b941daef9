--TEST--
A Pool is a CircuitBreaker and Countable, but no Awaitable
--FILE--
<?php
use Async\{Awaitable, CircuitBreaker, Pool};
$p = new Pool(fn () => 1);
var_dump($p instanceof CircuitBreaker, $p instanceof Countable, $p instanceof Awaitable);
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
