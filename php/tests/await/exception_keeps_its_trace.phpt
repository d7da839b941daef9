--TEST--
The exception of a coroutine keeps file, line and trace of where it was made
--FILE--
<?php
use function Async\{spawn, await};
function thrower() { throw new Exception('x'); }
$c = spawn('thrower');
try { await($c); } catch (Exception $e) { echo $e->getLine(), ' ', $e->getTrace()[0]['function'], "\n"; }
?>
--EXPECT--
3 thrower
