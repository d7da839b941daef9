--TEST--
A constructor may suspend
--FILE--
<?php
use function Async\{spawn, suspend, await};
class C { public $x; public function __construct() { suspend(); $this->x = await(spawn(fn () => 3)); } }
echo await(spawn(fn () => (new C)->x)), "\n";
?>
--EXPECT--
3
