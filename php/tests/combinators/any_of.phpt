--TEST--
await_any_of() and await_any_of_or_fail() wait for so many values
--FILE--
<?php
use function Async\{spawn, await_any_of, await_any_of_or_fail, delay};
$make = fn () => ['a' => spawn(function () { delay(50); return 'a'; }), 'b' => spawn(fn () => 'b'), 'c' => spawn(function () { delay(1); return 'c'; })];
echo json_encode(await_any_of_or_fail(2, $make())), "\n";
echo json_encode(await_any_of_or_fail(0, $make())), json_encode(await_any_of_or_fail(9, $make())), "\n";
[$values, $errors] = await_any_of(1, ['x' => spawn(fn () => throw new Exception('x')), 'y' => spawn(fn () => 'y')]);
echo json_encode($values), ' ', $errors['x']->getMessage(), "\n";
try { await_any_of_or_fail(2, [spawn(fn () => 1), spawn(fn () => throw new Exception('fails'))]); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
try { await_any_of(-1, []); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
{"b":"b","c":"c"}
[]{"a":"a","b":"b","c":"c"}
{"y":"y"} x
fails
Async\await_any_of(): Argument #1 ($count) must be greater than or equal to 0
