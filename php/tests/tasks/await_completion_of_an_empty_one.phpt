--TEST--
awaitCompletion() of a closed group without tasks returns at once
--FILE--
<?php
$g = new Async\TaskGroup;
$g->close();
$g->awaitCompletion();
var_dump($g->isFinished(), count($g));
?>
--EXPECT--
bool(true)
int(0)
