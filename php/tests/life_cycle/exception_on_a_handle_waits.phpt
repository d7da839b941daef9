--TEST--
O-17: an exception is not reported as long as the handle of its coroutine is held
--FILE--
<?php
use function Async\{spawn, await, suspend};
$c = spawn(function () { throw new RuntimeException('held'); });
suspend();
suspend();
echo "main goes on\n";
try { await($c); } catch (RuntimeException $e) { echo $e->getMessage(), "\n"; }
unset($c);
suspend();
echo "end\n";
?>
--EXPECT--
main goes on
held
end
