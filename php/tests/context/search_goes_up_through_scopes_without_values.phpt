--TEST--
R-CTX-3: the search goes up to the grandparent, past a scope without values
--FILE--
<?php
use function Async\{await, current_context};
$top = new Async\Scope;
$child = Async\Scope::inherit(Async\Scope::inherit($top));
await($top->spawn(fn () => current_context()->set('k', 'of the top')));
echo json_encode(await($child->spawn(function () {
    $c = current_context();
    return [$c->find('k'), $c->get('k'), $c->has('k'), $c->findLocal('k'), $c->hasLocal('k')];
}))), "\n";
?>
--EXPECT--
["of the top","of the top",true,null,false]
