--TEST--
getChildScopes() names the children that are alive
--FILE--
<?php
$parent = new Async\Scope;
$first = Async\Scope::inherit($parent);
$second = Async\Scope::inherit($parent);
$grandchild = Async\Scope::inherit($first);
var_dump($parent->getChildScopes() === [$first, $second], $first->getChildScopes() === [$grandchild]);
unset($second);
var_dump($parent->getChildScopes() === [$first]);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
