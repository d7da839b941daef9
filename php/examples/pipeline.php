<?php
// A producer and two workers, joined by channels. A full channel makes the producer wait.
//
//   php -d extension=build/php/weft.so php/examples/pipeline.php

use Async\{Channel, TaskGroup};
use function Async\{delay, spawn};

$jobs = new Channel(2);
$done = new Channel(8);

spawn(function () use ($jobs) {
    for ($i = 1; $i <= 6; ++$i) {
        $jobs->send($i);
    }
    $jobs->close();
});

$workers = new TaskGroup();
foreach (['a', 'b'] as $name) {
    $workers->spawn(function () use ($jobs, $done, $name) {
        foreach ($jobs as $job) {
            delay(2);
            $done->send($job ** 2);
        }
    });
}
$workers->close();
$workers->finally(fn () => $done->close());

$sum = 0;
foreach ($done as $square) {
    $sum += $square;
}
echo "the sum of the squares is $sum\n";
