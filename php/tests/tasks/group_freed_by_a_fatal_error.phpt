--TEST--
A coroutine that a fatal error ends while it frees a group runs no further code
--FILE--
<?php
use function Async\{spawn, suspend};
$g = new Async\TaskGroup;
$g->spawn(function () { usleep(60_000_000); });
suspend();
$box = $g;
unset($g);
spawn(function () use (&$box) {
    (function () use (&$box) { $mine = $box; $box = null; usleep(60_000_000); })();
    echo "runs after the fatal error\n";
    (function () { echo "and calls\n"; })();
});
suspend();
trigger_error('fatal', E_USER_ERROR);
?>
--EXPECTF--

Fatal error: fatal in %s on line 14
