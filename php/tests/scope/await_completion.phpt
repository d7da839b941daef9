--TEST--
awaitCompletion() waits for all coroutines of the scope and of its children
--FILE--
<?php
use function Async\{delay, timeout};
$s = new Async\Scope;
$child = Async\Scope::inherit($s);
$s->spawn(function () { delay(2); echo "own\n"; });
$child->spawn(function () { delay(4); echo "of the child\n"; });
var_dump($s->getChildScopes() === [$child]);
$s->awaitCompletion(timeout(5000));
echo "complete\n";
?>
--EXPECT--
bool(true)
own
of the child
complete
