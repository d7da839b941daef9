--TEST--
Globals and statics are shared by all coroutines
--FILE--
<?php
use function Async\{spawn, await, suspend};
function counter() { static $n = 0; return ++$n; }
$GLOBALS['g'] = 0;
$c = []; for ($i = 0; $i < 3; ++$i) $c[] = spawn(function () { counter(); suspend(); return ++$GLOBALS['g'] + counter(); });
foreach ($c as $x) echo await($x), ' ';
?>
--EXPECT--
5 7 9
