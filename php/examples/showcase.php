<?php
// Plain blocking PHP, one call after the other and then in coroutines: `make demo-php`.
use function Async\{await, await_all_or_fail, delay, spawn, timeout};

// What $task does twenty times, and how long that takes in a loop and in coroutines.
function compare(string $what, callable $task): void
{
    $begin = microtime(true);
    $in_a_loop = array_map($task, range(1, 20));
    $loop = microtime(true) - $begin;

    $begin = microtime(true);
    $in_coroutines = await_all_or_fail(array_map(fn($i) => spawn($task, $i), range(1, 20)));
    $coroutines = microtime(true) - $begin;

    $same = $in_a_loop === $in_coroutines ? 'the same results' : 'OTHER RESULTS';
    printf("%-24s %6.2f s one after the other, %5.2f s in coroutines, %s\n", $what, $loop, $coroutines, $same);
}

// 100 KiB at once, the rest at 100 KiB a second.
$url = 'http://127.0.0.1:' . getenv('WEFT_HTTP_PORT') . '/slow/large.txt';
$part = stream_context_create(['http' => ['header' => 'Range: bytes=0-119999']]);
compare('20 HTTP requests', fn(int $i) => strlen(file_get_contents($url, false, $part)));

compare('20 queries', function (int $i) {
    $connection = pg_connect(getenv('WEFT_PG'), PGSQL_CONNECT_FORCE_NEW);
    return pg_fetch_result(pg_query($connection, "select $i * $i from pg_sleep(0.1)"), 0, 0);
});

$begin = microtime(true);
try {
    await(spawn(fn() => sleep(10)), timeout(200));
} catch (Async\OperationCanceledException $error) {
    printf("A timeout: %s, after %.2f s\n", $error->getPrevious()->getMessage(), microtime(true) - $begin);
}

$begin = microtime(true);
$scope = new Async\Scope;
foreach (['one', 'two', 'three'] as $name) {
    $scope->spawn(function () use ($name) {
        try {
            shell_exec('exec sleep 10');
        } finally {
            echo "  $name cleans up\n";
        }
    });
}
delay(100);
$scope->cancel();
$scope->awaitAfterCancellation();
printf("A scope of three commands, cancelled: %.2f s\n", microtime(true) - $begin);
Async\graceful_shutdown();
