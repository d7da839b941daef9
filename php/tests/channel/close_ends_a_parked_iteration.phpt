--TEST--
R-CHN-15: close() ends a foreach that waits for a value
--FILE--
<?php
use function Async\{spawn, suspend};
$ch = new Async\Channel;
spawn(function () use ($ch) { foreach ($ch as $value) echo "never\n"; echo "loop ended\n"; });
suspend();
$ch->close();
?>
--EXPECT--
loop ended
