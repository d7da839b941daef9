--TEST--
The constructor refuses hooks that cannot be called
--FILE--
<?php
require __DIR__ . '/../says.inc';
foreach (['destructor', 'healthcheck', 'beforeAcquire', 'beforeRelease'] as $hook) says(fn () => new Async\Pool(fn () => 1, ...[$hook => 'no such function']));
?>
--EXPECT--
TypeError: Async\Pool::__construct(): Argument #2 ($destructor) must be a valid callback or null, function "no such function" not found or invalid function name
TypeError: Async\Pool::__construct(): Argument #3 ($healthcheck) must be a valid callback or null, function "no such function" not found or invalid function name
TypeError: Async\Pool::__construct(): Argument #4 ($beforeAcquire) must be a valid callback or null, function "no such function" not found or invalid function name
TypeError: Async\Pool::__construct(): Argument #5 ($beforeRelease) must be a valid callback or null, function "no such function" not found or invalid function name
