--TEST--
timeout() throws a ValueError unless it is given more than 0
--FILE--
<?php
foreach ([0, -5] as $ms) {
    try {
        Async\timeout($ms);
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
?>
--EXPECT--
Timeout value must be greater than 0
Timeout value must be greater than 0
