--TEST--
The limits of a pool are checked
--FILE--
<?php
foreach ([['min' => -1], ['max' => 0], ['max' => 2147483648], ['min' => 3, 'max' => 2], ['healthcheckInterval' => -1]] as $arguments) {
    try { new Async\Pool(fn () => 1, ...$arguments); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
}
new Async\Pool(fn () => 1, max: 2147483647, healthcheckInterval: PHP_INT_MAX);
try { new Async\Pool('no such function'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
Async\Pool::__construct(): Argument #6 ($min) must be >= 0
Async\Pool::__construct(): Argument #7 ($max) must be >= 1
Async\Pool::__construct(): Argument #7 ($max) must be between 1 and 2147483647
Async\Pool::__construct(): Argument #6 ($min) must be <= max
Async\Pool::__construct(): Argument #8 ($healthcheckInterval) must be >= 0
Async\Pool::__construct(): Argument #1 ($factory) must be a valid callback, function "no such function" not found or invalid function name
