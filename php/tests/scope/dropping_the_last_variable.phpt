--TEST--
A scope whose last variable goes cancels its coroutines
--FILE--
<?php
use function Async\{delay, suspend};
$s = new Async\Scope;
$s->spawn(function () { try { delay(10000); } catch (Async\AsyncCancellation $e) { echo $e->getMessage(), "\n"; } });
suspend();
unset($s);
suspend();
echo "end\n";
?>
--EXPECT--
Scope is being disposed due to object destruction
end
