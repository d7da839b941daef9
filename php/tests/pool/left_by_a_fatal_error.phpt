--TEST--
The resources of a pool that a fatal error leaves behind are dropped without their destructor
--FILE--
<?php
class Holder { public static $pool; }
Holder::$pool = new Async\Pool(fn () => new stdClass, fn () => print("destroyed\n"), min: 1);
trigger_error('fatal', E_USER_ERROR);
?>
--EXPECTF--

Fatal error: fatal in %s on line 4
