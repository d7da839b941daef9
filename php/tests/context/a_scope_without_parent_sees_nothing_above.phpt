--TEST--
R-CTX-3: the search stops at a scope without a parent
--FILE--
<?php
use function Async\{await, current_context, root_context};
root_context()->set('k', 'root');
$alone = new Async\Scope;
var_dump(await($alone->spawn(fn () => current_context()->find('k'))));
$child = Async\Scope::inherit($alone);
var_dump(await($alone->spawn(function () { current_context()->set('k', 'alone'); })));
var_dump(await($child->spawn(fn () => current_context()->find('k'))));
?>
--EXPECT--
NULL
NULL
string(5) "alone"
