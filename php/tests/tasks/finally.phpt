--TEST--
finally handlers get the group when it is closed and all tasks have ended
--FILE--
<?php
use function Async\delay;
$g = new Async\TaskGroup;
$g->finally(function ($given) use (&$g) { echo "finally\n"; var_dump($given === $g); });
$g->spawn(fn () => print("task\n"));
$g->close();
delay(2);
?>
--EXPECT--
task
finally
bool(true)
