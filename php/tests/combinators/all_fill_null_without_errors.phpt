--TEST--
fillNull changes nothing when nothing fails
--FILE--
<?php
use function Async\{spawn, await_all};
echo json_encode(await_all([spawn(fn () => 1)], fillNull: true)), "\n";
?>
--EXPECT--
[[1],[]]
