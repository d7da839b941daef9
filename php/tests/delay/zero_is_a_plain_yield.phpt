--TEST--
delay(0) yields once
--FILE--
<?php
use function Async\{spawn, delay};
spawn(fn () => print("other\n"));
delay(0);
echo "main\n";
?>
--EXPECT--
other
main
