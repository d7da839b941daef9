--TEST--
An IteratorAggregate is iterated
--FILE--
<?php
class Numbers implements IteratorAggregate { public function getIterator(): Iterator { yield 'one' => 1; yield 'two' => 2; } }
Async\iterate(new Numbers, fn ($value, $key) => print("$key $value\n"));
?>
--EXPECT--
one 1
two 2
