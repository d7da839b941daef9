--TEST--
Static variables of a function are shared by its coroutines
--FILE--
<?php
use function Async\{spawn, suspend, await};
function counter() { static $n = 0; suspend(); return ++$n; }
echo json_encode([await(spawn('counter')), await(spawn('counter'))]), "\n";
?>
--EXPECT--
[1,2]
