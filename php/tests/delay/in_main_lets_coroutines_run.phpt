--TEST--
While main delays, coroutines run
--FILE--
<?php
use function Async\{spawn, suspend, delay};
spawn(function () { for ($i = 0; $i < 3; ++$i) { echo "step $i\n"; suspend(); } });
delay(200);
echo "main\n";
?>
--EXPECT--
step 0
step 1
step 2
main
