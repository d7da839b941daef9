--TEST--
R-FUT-9: a failed future that is dropped unread warns with both places
--FILE--
<?php
$state = new Async\FutureState;
$f = new Async\Future($state);
$state->error(new Exception('lost'));
unset($f, $state);
Async\suspend();
?>
--EXPECTF--
Warning: Unhandled exception in Future: lost; use catch() or ignore() to handle. Created at %s:2, completed at %s:4 in %s on line %d
