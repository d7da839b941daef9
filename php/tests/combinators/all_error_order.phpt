--TEST--
Errors of await_all() come in the order of keys
--FILE--
<?php
use function Async\{spawn, suspend, await_all};
[, $errors] = await_all(['a' => spawn(function () { suspend(); throw new Exception('A'); }), 'b' => spawn(fn () => throw new Exception('B'))]);
echo implode(',', array_keys($errors)), "\n";
?>
--EXPECT--
a,b
