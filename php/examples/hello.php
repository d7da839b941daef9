<?php
use function Async\{await, delay, spawn};

$tea = spawn(fn () => delay(20));
$sum = spawn(fn (int $a, int $b) => $a + $b, 40, 2);
echo await($sum), ", and the tea is still brewing\n";
await($tea);
