--TEST--
A callback that changes the array does not change the iteration
--FILE--
<?php
$values = [1, 2, 3];
Async\iterate($values, function ($x, $key) use (&$values) { echo "$x\n"; $values[] = $x * 10; unset($values[2]); });
echo json_encode(array_values($values)), "\n";
?>
--EXPECT--
1
2
3
[1,2,10,20,30]
