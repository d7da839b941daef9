--TEST--
await_first_success() gives the first value and the errors before it
--FILE--
<?php
use function Async\{spawn, await_first_success, delay};
[$value, $errors] = await_first_success(['a' => spawn(fn () => throw new Exception('a')), 'b' => spawn(function () { delay(1); return 'b'; }), 'c' => spawn(fn () => throw new Exception('c'))]);
var_dump($value, array_map(fn ($e) => $e->getMessage(), $errors));
[$value, $errors] = await_first_success([spawn(fn () => throw new Exception('only'))]);
var_dump($value, count($errors));
?>
--EXPECT--
string(1) "b"
array(2) {
  ["a"]=>
  string(1) "a"
  ["c"]=>
  string(1) "c"
}
NULL
int(1)
