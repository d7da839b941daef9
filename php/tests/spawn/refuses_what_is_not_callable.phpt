--TEST--
spawn() throws a TypeError for what is not callable
--FILE--
<?php
try {
    Async\spawn('no_such_function');
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
Async\spawn(): Argument #1 ($task) must be a valid callback, function "no_such_function" not found or invalid function name
