--TEST--
A coroutine that has not started never runs after graceful_shutdown()
--FILE--
<?php
use function Async\{spawn, graceful_shutdown};
spawn(fn () => print("never\n"));
graceful_shutdown();
echo "end\n";
?>
--EXPECT--
end
