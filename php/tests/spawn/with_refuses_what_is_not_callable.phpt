--TEST--
spawn_with() takes a callable only
--FILE--
<?php
use Async\Scope;
use function Async\spawn_with;
require __DIR__ . '/../says.inc';
says(fn () => spawn_with(new Scope, 'nothing at all'));
?>
--EXPECT--
TypeError: Async\spawn_with(): Argument #2 ($task) must be a valid callback, function "nothing at all" not found or invalid function name
