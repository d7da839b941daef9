--TEST--
await_all_or_fail() gives the values by key, in the order of keys or of completion
--FILE--
<?php
use function Async\{spawn, await_all_or_fail, delay};
$make = fn () => ['a' => spawn(function () { delay(4); return 1; }), 'b' => spawn(fn () => 2), 7 => spawn(fn () => null)];
var_dump(await_all_or_fail($make()) === ['a' => 1, 'b' => 2, 7 => null]);
echo json_encode(array_keys(await_all_or_fail($make(), preserveKeyOrder: false))), "\n";
var_dump(await_all_or_fail([]));
?>
--EXPECT--
bool(true)
["b",7,"a"]
array(0) {
}
