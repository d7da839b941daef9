--TEST--
getResult() and getException() are null until the end and never throw
--FILE--
<?php
use function Async\{spawn, suspend};
$a = spawn(fn () => 'value');
$b = spawn(fn () => throw new Exception('error'));
var_dump($a->getResult(), $b->getException());
suspend();
var_dump($a->getResult(), $a->getException(), $b->getResult(), $b->getException()->getMessage());
try { Async\await($b); } catch (Exception) {}
?>
--EXPECT--
NULL
NULL
string(5) "value"
NULL
NULL
string(5) "error"
