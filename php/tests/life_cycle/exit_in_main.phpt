--TEST--
exit in main cancels all coroutines and waits for them
--FILE--
<?php
use function Async\{spawn, delay, suspend};
spawn(function () { try { delay(60000); } finally { echo "finally\n"; } });
suspend();
echo "main\n";
exit(0);
?>
--EXPECT--
main
finally
