--TEST--
protect() in main before anything else returns the value
--FILE--
<?php
use function Async\protect;
var_dump(protect(fn () => 5));
?>
--EXPECT--
int(5)
