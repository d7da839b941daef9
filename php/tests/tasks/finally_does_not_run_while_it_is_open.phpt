--TEST--
finally handlers do not run while the group is open
--FILE--
<?php
use function Async\suspend;
$g = new Async\TaskGroup;
$g->finally(fn () => print("finally\n"));
$g->spawn(fn () => 1);
$g->all()->await();
suspend();
echo "open\n";
$g->close();
suspend();
?>
--EXPECT--
open
finally
