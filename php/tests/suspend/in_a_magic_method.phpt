--TEST--
__get may suspend
--FILE--
<?php
use function Async\{spawn, suspend, await};
class M { public function __get($n) { suspend(); return "value of $n"; } }
$c = spawn(fn () => (new M)->x);
spawn(fn () => print("other\n"));
echo await($c), "\n";
?>
--EXPECT--
other
value of x
