--TEST--
A composite may hold composites, and keeps each object once for each call
--FILE--
<?php
$inner = new Async\CompositeException('inner');
$inner->addException(new Exception('leaf'));
$outer = new Async\CompositeException('outer');
$outer->addException($inner);
$outer->addException($inner);
var_dump(count($outer->getExceptions()), $outer->getExceptions()[1]->getExceptions()[0]->getMessage());
?>
--EXPECT--
int(2)
string(4) "leaf"
