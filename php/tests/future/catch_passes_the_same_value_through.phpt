--TEST--
R-FUT-6: catch() passes a value through as it is, without a call
--FILE--
<?php
$value = new ArrayObject;
var_dump(Async\Future::completed($value)->catch(fn () => print("never\n"))->await() === $value);
?>
--EXPECT--
bool(true)
