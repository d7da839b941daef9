--TEST--
The place where a future failed
--FILE--
<?php
$future = (new Async\Future($state = new Async\FutureState))->ignore();

$state->error(new Exception);
var_dump($future->getCompletedFileAndLine() === [__FILE__, 4], $state->getCompletedLocation() === __FILE__ . ':4');
?>
--EXPECT--
bool(true)
bool(true)
