--TEST--
exit() in a function of a chain ends the script
--FILE--
<?php
$f = Async\Future::completed(1)->map(function () { echo "map\n"; exit(0); });
$f->await();
echo "never\n";
?>
--EXPECT--
map
