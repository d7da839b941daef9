--TEST--
Where a future was created and completed
--FILE--
<?php
$state = new Async\FutureState;
$f = (new Async\Future($state))->ignore();
var_dump($state->getCreatedLocation() === __FILE__ . ':2', $f->getCompletedLocation(), $f->getCompletedFileAndLine());
$state->complete(1);
var_dump($f->getCompletedFileAndLine() === [__FILE__, 5], $f->getCreatedFileAndLine() === [__FILE__, 2], $state->getCompletedLocation() === __FILE__ . ':5');
?>
--EXPECT--
bool(true)
string(7) "unknown"
array(2) {
  [0]=>
  NULL
  [1]=>
  int(0)
}
bool(true)
bool(true)
bool(true)
