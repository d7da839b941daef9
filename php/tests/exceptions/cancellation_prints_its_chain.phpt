--TEST--
A cancellation turned into text shows its previous exceptions and its trace
--FILE--
<?php
function make() { return new Async\AsyncCancellation('outer', 7, new Exception('inner')); }
echo make(), "\n";
?>
--EXPECTF--
Exception: inner in %s:2
Stack trace:
#0 %s(3): make()
#1 {main}

Next Async\AsyncCancellation: outer in %s:2
Stack trace:
#0 %s(3): make()
#1 {main}
