--TEST--
get_coroutines() is empty before the runtime starts
--FILE--
<?php
use function Async\get_coroutines;
var_dump(get_coroutines());
?>
--EXPECT--
array(0) {
}
