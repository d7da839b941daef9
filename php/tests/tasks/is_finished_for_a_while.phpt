--TEST--
R-TGR-6: an open group may be finished for a while
--FILE--
<?php
$g = new Async\TaskGroup;
var_dump($g->isFinished());
$g->spawn(fn () => 1);
var_dump($g->isFinished());
$g->all()->await();
var_dump($g->isFinished(), $g->isClosed());
$g->spawn(fn () => 2);
var_dump($g->isFinished());
echo json_encode($g->all()->await()), "\n";
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(false)
bool(false)
[1,2]
