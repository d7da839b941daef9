--TEST--
Failures do not count towards the number that is asked for
--FILE--
<?php
use function Async\{spawn, suspend, await_any_of};
[$values, $errors] = await_any_of(1, [spawn(fn () => throw new Exception('first')), spawn(function () { suspend(); return 'second'; })]);
echo json_encode($values), ' ', count($errors), "\n";
?>
--EXPECT--
{"1":"second"} 1
