--TEST--
R-CAN-15: a coroutine that throws a cancellation by itself ends quietly
--FILE--
<?php
use Async\AsyncCancellation;
use function Async\{spawn, suspend};
spawn(fn () => throw new AsyncCancellation('my own'));
suspend();
echo "main goes on\n";
?>
--EXPECT--
main goes on
