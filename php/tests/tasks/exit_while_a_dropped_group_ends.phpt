--TEST--
exit() in a task of a dropped group ends the script, and is no failure of the group
--FILE--
<?php
use function Async\{delay, suspend};
$g = new Async\TaskGroup;
$g->spawn(function () { try { delay(60000); } finally { echo "cleans up\n"; exit(0); } });
suspend();
unset($g);
suspend();
?>
--EXPECT--
cleans up
