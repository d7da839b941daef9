<?php
// Destructors at the end of a script may wait: each runs once, and the others go on meanwhile.
//
//   php -d extension=build/php/weft.so php/examples/destructors.php

use function Async\{await, delay, spawn};

class Connection
{
    public function __construct(private string $name)
    {
    }

    public function __destruct()
    {
        echo "$this->name says goodbye\n";
        echo await(spawn(function () {
            delay(5);              // stands for the answer of the server
            return "$this->name is closed\n";
        }));
    }
}

$database = new Connection('database');
$queue = new Connection('queue');
spawn(function () { echo "the last coroutine\n"; });
echo "the end of the script\n";
