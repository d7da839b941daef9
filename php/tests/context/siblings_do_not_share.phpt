--TEST--
Scopes beside each other do not see each other's values
--FILE--
<?php
use function Async\{await, current_context};
$a = Async\Scope::inherit();
$b = Async\Scope::inherit();
await($a->spawn(fn () => current_context()->set('k', 'of a')));
var_dump(await($b->spawn(fn () => current_context()->find('k'))), await($a->spawn(fn () => current_context()->find('k'))));
?>
--EXPECT--
NULL
string(4) "of a"
