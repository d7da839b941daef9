--TEST--
A null key from an iterator stands for the next free one
--FILE--
<?php
use function Async\{spawn, await_all_or_fail};
function keys() { yield null => spawn(fn () => 1); }
echo json_encode(array_values(await_all_or_fail(keys()))), "\n";
?>
--EXPECT--
[1]
