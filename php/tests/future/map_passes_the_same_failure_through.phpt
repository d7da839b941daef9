--TEST--
R-FUT-6: map() passes a failure through as it is, without a call
--FILE--
<?php
$failure = new DomainException('bad');
$future = Async\Future::failed($failure)->map(fn () => print("never\n"))->map(fn () => print("never\n"));
try { $future->await(); } catch (DomainException $e) { var_dump($e === $failure); }
?>
--EXPECT--
bool(true)
