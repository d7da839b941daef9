--TEST--
spawn_with() takes a ScopeProvider only
--FILE--
<?php
use function Async\spawn_with;
require __DIR__ . '/../says.inc';
says(fn () => spawn_with(new stdClass, fn () => 1));
?>
--EXPECT--
TypeError: Async\spawn_with(): Argument #1 ($provider) must be of type Async\ScopeProvider, stdClass given
