--TEST--
When all fail, all errors come by key
--FILE--
<?php
use function Async\{spawn, await_first_success};
[$value, $errors] = await_first_success(['a' => spawn(fn () => throw new Exception('A')), 'b' => spawn(fn () => throw new Error('B'))]);
var_dump($value);
foreach ($errors as $k => $e) echo $k, ' ', get_class($e), ' ', $e->getMessage(), "\n";
?>
--EXPECT--
NULL
a Exception A
b Error B
