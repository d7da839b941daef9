--TEST--
A private method is no callable from outside
--FILE--
<?php
use function Async\spawn;
require __DIR__ . '/../says.inc';
class W { private function p() {} }
says(fn () => spawn([new W, 'p']));
?>
--EXPECT--
TypeError: Async\spawn(): Argument #1 ($task) must be a valid callback, cannot access private method W::p()
