--TEST--
A cancellation can be thrown into a generator
--FILE--
<?php
$g = (function () { try { yield 1; } catch (Exception) { echo "never\n"; } catch (Cancellation $e) { echo get_class($e), "\n"; yield 2; } })();
echo $g->current(), "\n";
echo $g->throw(new Async\AsyncCancellation), "\n";
?>
--EXPECT--
1
Async\AsyncCancellation
2
