--TEST--
R-FUT-4: several chains of one future are independent
--FILE--
<?php
use Async\{Future, FutureState};
$state = new FutureState;
$future = new Future($state);
$failing = $future->map(fn ($x) => throw new DomainException("cannot map $x"));
$double = $future->map(fn ($x) => $x * 2);
$state->complete(21);
try { $failing->await(); } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
var_dump($double->await(), $future->await());
?>
--EXPECT--
cannot map 21
int(42)
int(21)
