--TEST--
O-11: coroutines spawned by callbacks are cancelled at the end, or awaited
--FILE--
<?php
use function Async\{iterate, spawn, delay, suspend};
$callback = function ($x) { spawn(function () use ($x) { echo "background $x\n"; try { delay($x < 3 ? 60000 : 1); echo "finished $x\n"; } catch (Async\AsyncCancellation $e) { echo "cancelled $x\n"; } }); suspend(); };
iterate([1, 2], $callback);
echo "returned\n";
iterate([3], $callback, cancelPending: false);
echo "returned\n";
?>
--EXPECT--
background 1
background 2
cancelled 1
cancelled 2
returned
background 3
finished 3
returned
