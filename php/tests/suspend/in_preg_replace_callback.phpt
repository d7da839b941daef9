--TEST--
Callbacks of preg_replace_callback() may suspend and interleave
--FILE--
<?php
use function Async\{spawn, suspend, await};
$f = fn ($s) => preg_replace_callback('/\d/', function ($m) { suspend(); return $m[0] * 2; }, $s);
$a = spawn($f, 'a1b2');
$b = spawn($f, 'x3y4');
echo await($a), ' ', await($b), "\n";
?>
--EXPECT--
a2b4 x6y8
