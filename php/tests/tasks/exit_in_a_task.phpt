--TEST--
exit() in a task ends the script
--FILE--
<?php
$g = new Async\TaskGroup;
$g->spawn(function () { echo "task\n"; exit(0); });
$g->all()->await();
echo "never\n";
?>
--EXPECT--
task
