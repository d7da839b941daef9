<?php
// Three pieces of work at the same time, a time limit for all of them, and clean-up.
//
//   php -d extension=build/php/weft.so php/examples/parallel.php

use function Async\{await_all_or_fail, delay, spawn, timeout};

function fetch(string $what, int $ms): string
{
    delay($ms);                    // stands for a request
    return "$what after $ms ms";
}

$results = await_all_or_fail([
    'user' => spawn(fetch(...), 'the user', 30),
    'cart' => spawn(fetch(...), 'the cart', 10),
    'news' => spawn(fetch(...), 'the news', 20),
], timeout(1000));

foreach ($results as $name => $text) {
    echo "$name: $text\n";
}
