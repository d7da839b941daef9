--TEST--
R-SCP-5: cancelling a child touches neither its siblings nor its parent
--FILE--
<?php
use function Async\{suspend, timeout};
$parent = new Async\Scope;
$first = Async\Scope::inherit($parent);
$second = Async\Scope::inherit($parent);
foreach (['parent' => $parent, 'first' => $first, 'second' => $second] as $name => $scope) {
    $scope->spawn(function () use ($name) { try { for ($i = 0; $i < 3; ++$i) suspend(); echo "$name ends\n"; } catch (Async\AsyncCancellation $e) { echo "$name is cancelled\n"; throw $e; } });
}
suspend();
$first->cancel();
$parent->awaitCompletion(timeout(5000));
var_dump($parent->isCancelled(), $second->isCancelled());
?>
--EXPECT--
first is cancelled
parent ends
second ends
bool(false)
bool(false)
