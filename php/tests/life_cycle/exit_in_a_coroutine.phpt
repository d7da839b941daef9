--TEST--
exit in a coroutine cancels the others, runs their finally blocks and the shutdown functions, and keeps its code
--FILE--
<?php
use function Async\{spawn, await, delay, suspend};
register_shutdown_function(fn () => print("shutdown function\n"));
spawn(function () { try { delay(60000); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; throw $e; } finally { echo "finally\n"; } });
spawn(function () { suspend(); try { exit(3); } finally { echo "no finally of its own\n"; } });
class D { public function __destruct() { echo "destructor\n"; } }
$d = new D;
try { delay(60000); } finally { echo "not of main either\n"; }
?>
--EXPECT--
Graceful shutdown
finally
shutdown function
destructor
