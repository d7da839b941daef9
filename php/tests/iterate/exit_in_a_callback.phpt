--TEST--
exit() in a callback ends the script
--FILE--
<?php
Async\iterate([1, 2], function ($x) { echo "$x\n"; exit(0); });
echo "never\n";
?>
--EXPECT--
1
