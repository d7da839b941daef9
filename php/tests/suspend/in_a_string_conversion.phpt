--TEST--
__toString may suspend inside a concatenation
--FILE--
<?php
use function Async\{spawn, suspend, await};
class S { public function __toString(): string { suspend(); return 'text'; } }
echo await(spawn(fn () => 'a ' . new S . ' b')), "\n";
?>
--EXPECT--
a text b
