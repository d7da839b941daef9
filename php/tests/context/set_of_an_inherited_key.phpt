--TEST--
R-CTX-4: a key of a parent may be set again in a child; unset() shows the parent's value
--FILE--
<?php
use function Async\{await, current_context, root_context};
root_context()->set('k', 'of main');
$child = Async\Scope::inherit();
await($child->spawn(function () {
    $c = current_context();
    echo $c->set('k', 'own')->get('k'), "\n";
    echo $c->unset('k')->get('k'), "\n";
}));
echo root_context()->get('k'), "\n";
?>
--EXPECT--
own
of main
of main
