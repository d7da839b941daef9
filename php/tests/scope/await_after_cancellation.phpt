--TEST--
awaitAfterCancellation() passes failures to its handler, and needs a cancelled scope
--FILE--
<?php
use function Async\{delay, suspend};
$s = new Async\Scope;
try { $s->awaitAfterCancellation(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
$s->spawn(function () { try { delay(10000); } finally { throw new Exception('while cleaning up'); } });
suspend();
$s->cancel();
$s->awaitAfterCancellation(function ($error, $scope) use ($s) { echo $error->getMessage(), ' ', json_encode($scope === $s), "\n"; });
echo "end\n";
?>
--EXPECT--
Attempt to await a Scope that has not been cancelled
while cleaning up true
end
