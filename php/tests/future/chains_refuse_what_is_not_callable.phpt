--TEST--
catch() and finally() refuse what is not callable
--FILE--
<?php
require __DIR__ . '/../says.inc';
$future = Async\Future::completed()->ignore();
says(fn () => $future->catch('no such function'));
says(fn () => $future->finally([$future, 'noMethod']));
?>
--EXPECT--
TypeError: Async\Future::catch(): Argument #1 ($catch) must be a valid callback, function "no such function" not found or invalid function name
TypeError: Async\Future::finally(): Argument #1 ($finally) must be a valid callback, class Async\Future does not have a method "noMethod"
