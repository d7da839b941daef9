--TEST--
spawn() calls through __callStatic
--FILE--
<?php
use function Async\{spawn, await};
class W { public static function __callStatic($name, $arguments) { return "$name(" . implode(',', $arguments) . ')'; } }
echo await(spawn(['W', 'anything'], 1, 2)), "\n";
?>
--EXPECT--
anything(1,2)
