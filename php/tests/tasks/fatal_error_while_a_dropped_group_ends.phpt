--TEST--
A fatal error in a task of a dropped group is reported once
--FILE--
<?php
use function Async\{delay, suspend};
$g = new Async\TaskGroup;
$g->spawn(function () { try { delay(60000); } finally { trigger_error('fatal', E_USER_ERROR); } });
suspend();
unset($g);
suspend();
?>
--EXPECTF--

Fatal error: fatal in %s on line 4
