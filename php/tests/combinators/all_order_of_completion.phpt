--TEST--
await_all() gives values in the order of completion on request
--FILE--
<?php
use function Async\{spawn, suspend, await_all};
$make = fn () => ['slow' => spawn(function () { suspend(); return 1; }), 'fast' => spawn(fn () => 2)];
echo json_encode(await_all($make(), preserveKeyOrder: false)[0]), "\n";
echo json_encode(await_all($make(), preserveKeyOrder: true)[0]), "\n";
?>
--EXPECT--
{"fast":2,"slow":1}
{"slow":1,"fast":2}
