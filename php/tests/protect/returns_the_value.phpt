--TEST--
protect() returns the value of its closure, throws its exception, and works in main
--FILE--
<?php
use function Async\protect;
var_dump(protect(fn () => 'value'), protect(function () {}));
try { protect(fn () => throw new LogicException('from inside')); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
try { protect('strlen'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
string(5) "value"
NULL
from inside
Async\protect(): Argument #1 ($closure) must be of type Closure, string given
