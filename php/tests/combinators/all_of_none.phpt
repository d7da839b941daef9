--TEST--
await_all() of nothing gives two empty arrays
--FILE--
<?php
use function Async\await_all;
echo json_encode(await_all([])), "\n";
?>
--EXPECT--
[[],[]]
