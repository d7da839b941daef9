--TEST--
await_first_success() of nothing gives null and no errors
--FILE--
<?php
use function Async\await_first_success;
echo json_encode(await_first_success([])), "\n";
?>
--EXPECT--
[null,[]]
