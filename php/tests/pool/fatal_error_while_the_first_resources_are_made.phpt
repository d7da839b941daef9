--TEST--
A fatal error in the factory is reported once
--FILE--
<?php
$pool = new Async\Pool(function () { trigger_error('fatal', E_USER_ERROR); }, min: 2);
echo "never\n";
?>
--EXPECTF--

Fatal error: fatal in %s on line 2
