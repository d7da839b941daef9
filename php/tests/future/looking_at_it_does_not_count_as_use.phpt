--TEST--
R-FUT-9: to ask whether a future is complete does not count as use
--FILE--
<?php
$future = Async\Future::completed(1);
$future->isCompleted();
$future->isCancelled();
$future->getAwaitingInfo();
unset($future);
Async\suspend();
?>
--EXPECTF--

Warning: Future was never used; call await(), map(), catch(), finally() or ignore() to suppress this warning. Created at %s:2 in %s on line %d
