--TEST--
Keys of a Traversable may have any type
--FILE--
<?php
function pairs() { yield [1] => 'array'; yield 1.5 => 'float'; yield null => 'null'; yield new ArrayObject => 'object'; }
Async\iterate(pairs(), fn ($value, $key) => print($value . ' ' . get_debug_type($key) . "\n"));
?>
--EXPECT--
array array
float float
null null
object ArrayObject
