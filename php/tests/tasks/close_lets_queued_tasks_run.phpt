--TEST--
R-TGR-5: close() lets running and queued tasks end
--FILE--
<?php
$g = new Async\TaskGroup(concurrency: 1, queueLimit: 0);
foreach (['a', 'b'] as $name) $g->spawn(fn () => $name);
$g->close();
$g->close();
var_dump($g->isClosed(), $g->isFinished());
echo json_encode($g->all()->await()), "\n";
var_dump($g->isFinished());
?>
--EXPECT--
bool(true)
bool(false)
["a","b"]
bool(true)
