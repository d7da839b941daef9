--TEST--
getLocal() throws for a key that only a parent has
--FILE--
<?php
use function Async\{await, current_context, root_context};
root_context()->set('k', 'of main');
$child = Async\Scope::inherit();
await($child->spawn(function () {
    try { current_context()->getLocal('k'); } catch (Async\ContextException $e) { echo $e->getMessage(), "\n"; }
}));
?>
--EXPECT--
Context key "k" not found
