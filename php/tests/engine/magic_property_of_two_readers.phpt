--TEST--
A second coroutine that reads a magic property which another one is computing gets null
--FILE--
<?php
use function Async\{spawn, await, suspend};
class Magic { public function __get($name) { suspend(); return "value of $name"; } }
$object = new Magic;
$read = fn() => @$object->property;
$first = spawn($read);
$second = spawn($read);
var_dump(await($first), await($second), $object->property);
?>
--EXPECT--
string(17) "value of property"
NULL
string(17) "value of property"
