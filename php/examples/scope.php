<?php
// A scope owns its coroutines: when one fails, the others are cancelled and clean up.
//
//   php -d extension=build/php/weft.so php/examples/scope.php

use Async\Scope;
use function Async\{delay, timeout};

$scope = new Scope();
$scope->spawn(function () {
    try {
        delay(60_000);
    } finally {
        echo "the slow one cleans up\n";
    }
});
$scope->spawn(function () {
    delay(5);
    throw new RuntimeException('the database is gone');
});

try {
    $scope->awaitCompletion(timeout(10_000));
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
