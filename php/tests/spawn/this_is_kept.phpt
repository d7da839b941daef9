--TEST--
A closure of an object keeps its $this
--FILE--
<?php
use function Async\{spawn, suspend, await};
class W { public $x = 5; public function go() { return spawn(function () { suspend(); return $this->x; }); } }
var_dump(await((new W)->go()));
?>
--EXPECT--
int(5)
