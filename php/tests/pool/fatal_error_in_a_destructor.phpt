--TEST--
A fatal error in a destructor of a resource is reported once, and no other destructor runs
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, function () { echo "destructor\n"; trigger_error('fatal', E_USER_ERROR); }, min: 2);
register_shutdown_function(fn () => print("shutdown\n"));
$pool->close();
echo "never\n";
?>
--EXPECTF--
destructor

Fatal error: fatal in %s on line 2
shutdown
