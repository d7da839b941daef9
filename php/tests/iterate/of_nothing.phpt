--TEST--
iterate() of an empty array or generator calls nothing
--FILE--
<?php
use function Async\iterate;
var_dump(iterate([], fn () => print("never\n")));
iterate((function () { if (false) yield; })(), fn () => print("never\n"));
iterate(new EmptyIterator, fn () => print("never\n"));
?>
--EXPECT--
NULL
