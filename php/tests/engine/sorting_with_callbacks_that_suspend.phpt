--TEST--
Two coroutines may sort with callbacks that suspend
--FILE--
<?php
use function Async\{await, spawn, suspend};
$sort = fn (int $sign) => spawn(function () use ($sign) {
    $values = [3, 1, 4, 1, 5, 9, 2, 6];
    usort($values, function ($a, $b) use ($sign) { suspend(); return $sign * ($a <=> $b); });
    return implode($values);
});
$up = $sort(1);
$down = $sort(-1);
echo await($up), ' ', await($down), "\n";
?>
--EXPECT--
11234569 96543211
