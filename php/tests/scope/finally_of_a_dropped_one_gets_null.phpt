--TEST--
A finally handler receives null when the object of its scope is gone
--FILE--
<?php
$s = new Async\Scope;
$s->finally(fn ($scope) => var_dump($scope));
unset($s);
Async\suspend();
?>
--EXPECT--
NULL
