--TEST--
Keys of the array are kept, holes included
--FILE--
<?php
use function Async\{spawn, await_all_or_fail};
echo json_encode(await_all_or_fail([5 => spawn(fn () => 'five'), 2 => spawn(fn () => 'two')])), "\n";
?>
--EXPECT--
{"5":"five","2":"two"}
