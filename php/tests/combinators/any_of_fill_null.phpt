--TEST--
await_any_of() puts null for failed keys on request
--FILE--
<?php
use function Async\{spawn, await_any_of};
[$values] = await_any_of(2, ['a' => spawn(fn () => throw new Exception), 'b' => spawn(fn () => 'b')], fillNull: true);
echo json_encode($values), "\n";
?>
--EXPECT--
{"a":null,"b":"b"}
