--TEST--
cancel() refuses other exceptions
--FILE--
<?php
require __DIR__ . '/../says.inc';
$future = (new Async\Future($state = new Async\FutureState))->ignore();
says(fn () => $future->cancel(new Exception));
var_dump($future->isCompleted());
?>
--EXPECT--
TypeError: Async\Future::cancel(): Argument #1 ($cancellation) must be of type ?Async\AsyncCancellation, Exception given
bool(false)
