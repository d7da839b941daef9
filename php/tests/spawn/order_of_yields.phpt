--TEST--
O-2, O-3: coroutines that yield go to the tail of the queue
--FILE--
<?php
use function Async\{spawn, suspend};
spawn(function () { echo "A1 "; suspend(); echo "A2 "; suspend(); echo "A3\n"; });
spawn(function () { echo "B1 "; suspend(); echo "B2 "; });
spawn(function () { echo "C1 "; });
?>
--EXPECT--
A1 B1 C1 A2 B2 A3
