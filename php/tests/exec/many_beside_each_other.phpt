--TEST--
Fifty commands run beside each other, each with its own answer
--FILE--
<?php
use function Async\{await_all_or_fail, spawn};
$all = [];
for ($i = 0; $i < 50; ++$i) $all[] = spawn(function () use ($i) { exec("echo $i; exit $i", $lines, $code); return (int) $lines[0] === $i && $code === $i; });
var_dump(array_unique(await_all_or_fail($all)));
?>
--EXPECT--
array(1) {
  [0]=>
  bool(true)
}
