--TEST--
O-2: a coroutine that yields goes behind those that wait
--FILE--
<?php
use function Async\{spawn, suspend};
spawn(function () { echo "a1\n"; suspend(); echo "a2\n"; });
spawn(function () { echo "b1\nb2\n"; });
?>
--EXPECT--
a1
b1
b2
a2
