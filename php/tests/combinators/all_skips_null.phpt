--TEST--
null elements are skipped, even if there is nothing else
--FILE--
<?php
use function Async\await_all;
echo json_encode(await_all([null, null])), "\n";
?>
--EXPECT--
[[],[]]
