--TEST--
Keys that are objects or floats are refused
--FILE--
<?php
use function Async\{spawn, await_all};
require __DIR__ . '/../says.inc';
function object_keys() { yield new stdClass => spawn(fn () => 1); }
says(fn () => await_all(object_keys()));
?>
--EXPECT--
Async\AsyncException: Invalid key type: must be string, long or null
