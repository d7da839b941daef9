--TEST--
A group that is dropped cancels its tasks and waits for them
--FILE--
<?php
use function Async\{delay, suspend};
$g = new Async\TaskGroup;
$g->spawn(function () { try { delay(60000); } finally { echo "cleaned up\n"; } });
suspend();
unset($g);
echo "gone\n";
?>
--EXPECT--
cleaned up
gone
