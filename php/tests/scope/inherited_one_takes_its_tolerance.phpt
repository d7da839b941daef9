--TEST--
R-SCP-4: an inherited scope lets its coroutines finish if its parent does
--FILE--
<?php
use function Async\suspend;
$tolerant = Async\Scope::inherit();
$parent = new Async\Scope;
$strict = Async\Scope::inherit($parent);
foreach (['tolerant' => $tolerant, 'strict' => $strict] as $name => $scope) {
    $scope->spawn(function () use ($name) { try { for ($i = 0; $i < 3; ++$i) suspend(); echo "$name: ended\n"; } catch (Async\AsyncCancellation $e) { echo "$name: cancelled\n"; throw $e; } });
}
suspend();
$tolerant->dispose();
$strict->dispose();
?>
--EXPECT--
strict: cancelled
tolerant: ended
