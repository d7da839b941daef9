<?php
// Every coroutine has its own output buffers: what others print meanwhile does not get into them.
//
//   php -d extension=build/php/weft.so php/examples/output_buffers.php

use function Async\{await, spawn, suspend};

function page(string $title): string
{
    ob_start();
    echo "<h1>$title";
    suspend();                     // stands for a query; the other page is printed meanwhile
    echo "</h1>\n";
    return ob_get_clean();
}

$first = spawn(page(...), 'News');
$second = spawn(page(...), 'Weather');
echo await($first), await($second);
