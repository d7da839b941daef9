--TEST--
A future gives the value that its state was completed with, again and again
--FILE--
<?php
use function Async\{spawn, await};
$state = new Async\FutureState;
$future = new Async\Future($state);
spawn(function () use ($state) { $state->complete(['v']); });
var_dump($future->isCompleted(), $state->isCompleted(), $future->getAwaitingInfo());
var_dump($future->await(), await($future) === ['v'], $future->isCompleted(), $state->getAwaitingInfo());
?>
--EXPECT--
bool(false)
bool(false)
array(1) {
  [0]=>
  string(20) "FutureState(pending)"
}
array(1) {
  [0]=>
  string(1) "v"
}
bool(true)
bool(true)
array(1) {
  [0]=>
  string(22) "FutureState(completed)"
}
