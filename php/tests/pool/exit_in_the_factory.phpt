--TEST--
exit() in a factory ends the script
--FILE--
<?php
$pool = new Async\Pool(function () { echo "factory\n"; exit(0); });
$pool->acquire();
echo "never\n";
?>
--EXPECT--
factory
