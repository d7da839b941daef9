--TEST--
weft.bridge=0 leaves blocking functions alone
--INI--
weft.bridge=0
--FILE--
<?php
Async\spawn(function () { echo "coroutine\n"; });
usleep(1000);
echo "main\n";
?>
--EXPECT--
main
coroutine
