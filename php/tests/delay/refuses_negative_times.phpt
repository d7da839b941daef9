--TEST--
delay() throws a ValueError for a negative time
--FILE--
<?php
try {
    Async\delay(-1);
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
Async\delay(): Argument #1 ($ms) must be greater than or equal to 0
