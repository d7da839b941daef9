--TEST--
R-EXC-10: an exception that replaces another keeps it as previous
--FILE--
<?php
use function Async\{spawn, await, suspend};
$c = spawn(function () { try { throw new Exception('first'); } finally { suspend(); throw new LogicException('second'); } });
try { await($c); } catch (LogicException $e) { echo $e->getMessage(), ' after ', $e->getPrevious()->getMessage(), "\n"; }
?>
--EXPECT--
second after first
