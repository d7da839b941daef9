--TEST--
A dropped pool whose destructor fails destroys the resources in use too, and throws the first failure
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, function () { static $n = 0; echo 'destroy ', ++$n, "\n"; throw new Exception("d$n"); }, min: 2);
$lent = $pool->acquire();
try { unset($pool); } catch (Exception $e) { echo 'caught ', $e->getMessage(), "\n"; }
echo "end\n";
?>
--EXPECTF--
destroy 1
destroy 2

Warning: Pool: destroying a resource failed: d2 in %s on line 4
caught d1
end
