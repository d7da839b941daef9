--TEST--
The exception of a destructor leaves close() when all idle resources were destroyed
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, function () { echo "destroy\n"; throw new Exception('cannot close'); }, min: 2);
try { $pool->close(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
destroy
destroy
cannot close
