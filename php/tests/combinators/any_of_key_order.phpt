--TEST--
await_any_of() gives keys in input order by default, else in order of completion
--FILE--
<?php
use function Async\{spawn, suspend, await_any_of};
$make = fn () => ['slow' => spawn(function () { suspend(); return 1; }), 'fast' => spawn(fn () => 2)];
echo json_encode(await_any_of(2, $make())[0]), json_encode(await_any_of(2, $make(), preserveKeyOrder: false)[0]), "\n";
?>
--EXPECT--
{"slow":1,"fast":2}{"fast":2,"slow":1}
