--TEST--
exit() in the factory ends the script, although the constructor takes failures of the factory
--FILE--
<?php
$pool = new Async\Pool(function () { echo "factory\n"; exit(0); }, min: 2);
echo "never\n";
?>
--EXPECT--
factory
