--TEST--
R-FUT-10: the state of a future that was dropped may still be completed
--FILE--
<?php
$future = (new Async\Future($state = new Async\FutureState))->ignore();
unset($future);
$state->complete('discarded');
var_dump($state->isCompleted());
?>
--EXPECT--
bool(true)
