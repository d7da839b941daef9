--TEST--
R-SCP-5: cancel() goes down through all generations, the youngest first
--FILE--
<?php
use function Async\{delay, suspend};
$s = new Async\Scope;
$child = Async\Scope::inherit($s);
$grandchild = Async\Scope::inherit($child);
foreach (['first' => $s, 'second' => $child, 'third' => $grandchild] as $name => $scope) {
    $scope->spawn(function () use ($name) { try { delay(60000); } finally { echo "$name\n"; } });
}
suspend();
$s->cancel();
var_dump($grandchild->isCancelled());
?>
--EXPECT--
bool(true)
third
second
first
