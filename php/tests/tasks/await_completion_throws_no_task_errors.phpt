--TEST--
R-TGR-7: awaitCompletion() does not throw the errors of tasks
--FILE--
<?php
$g = new Async\TaskGroup;
$g->spawn(fn () => throw new Exception('of a task'));
$g->close();
$g->awaitCompletion();
echo $g->getErrors()[0]->getMessage(), "\n";
?>
--EXPECT--
of a task
