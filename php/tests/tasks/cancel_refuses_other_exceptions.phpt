--TEST--
cancel() of a group or set refuses other exceptions
--FILE--
<?php
require __DIR__ . '/../says.inc';
$g = new Async\TaskGroup;
$s = new Async\TaskSet;
says(fn () => $g->cancel(new Exception));
says(fn () => $s->cancel(new Exception));
var_dump($g->isClosed(), $s->isClosed());
?>
--EXPECT--
TypeError: Async\TaskGroup::cancel(): Argument #1 ($cancellation) must be of type ?Async\AsyncCancellation, Exception given
TypeError: Async\TaskSet::cancel(): Argument #1 ($cancellation) must be of type ?Async\AsyncCancellation, Exception given
bool(false)
bool(false)
