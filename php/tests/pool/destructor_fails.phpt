--TEST--
The exception of a destructor leaves close() when all idle resources were destroyed
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, function () { echo "destroy\n"; throw new Exception('cannot close'); }, min: 2);
try { $pool->close(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECTF--
destroy
destroy

Warning: Pool: destroying a resource failed: cannot close in %s on line %d
cannot close
