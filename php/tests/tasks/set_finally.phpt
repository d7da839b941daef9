--TEST--
finally handlers of a set get the set when it is closed and has ended
--FILE--
<?php
$s = new Async\TaskSet;
$s->finally(function ($given) use ($s) { var_dump($given === $s); });
$s->spawn(fn () => print("task\n"));
$s->close();
$s->awaitCompletion();
Async\suspend();
?>
--EXPECT--
task
bool(true)
