<?php
// The extension beside the engine's own fibers and curl_multi, in the same process. Minima of five rounds.
// tools/services run php -n -d extension=curl -d extension=build/php/weft.so bench/php/numbers.php
use function Async\{await, await_all_or_fail, spawn, suspend};

function least(callable $work): float
{
    $least = INF;
    for ($round = 0; $round < 5; $round++) {
        $begin = hrtime(true);
        $work();
        $least = min($least, hrtime(true) - $begin);
    }
    return $least;
}

function row(string $what, float $ours, float $theirs, string $unit, string $goal): void
{
    printf("%-44s %8.1f %s   %8.1f %s   %.2f x (goal: %s)\n", $what, $ours, $unit, $theirs, $unit, $ours / $theirs, $goal);
}

$n = 300_000;
// Two coroutines take turns: 2n switches. A fiber is resumed and suspends: 2n switches.
$ours = least(function () use ($n) {
    $work = function () use ($n) {
        for ($i = 0; $i < $n; $i++) suspend();
    };
    await_all_or_fail([spawn($work), spawn($work)]);
}) / (2 * $n);
$theirs = least(function () use ($n) {
    $fiber = new Fiber(function () use ($n) {
        for ($i = 0; $i < $n; $i++) Fiber::suspend();
    });
    $fiber->start();
    for ($i = 0; $i < $n; $i++) $fiber->resume();
}) / (2 * $n);
row('one switch; a Fiber', $ours, $theirs, 'ns', '1.30');

$n = 30_000;
$body = function () { return 1; };
$ours = least(function () use ($n, $body) {
    for ($i = 0; $i < $n; $i++) await(spawn($body));
}) / $n;
$theirs = least(function () use ($n, $body) {
    for ($i = 0; $i < $n; $i++) (new Fiber($body))->start();
}) / $n;
row('spawn and await; start of a Fiber', $ours, $theirs, 'ns', '0.10');

function memory(): int
{
    preg_match_all('/(VmRSS|VmPTE):\s+(\d+)/', file_get_contents('/proc/self/status'), $found);
    return array_sum($found[2]);
}
$before = memory();
$scope = new Async\Scope;
for ($i = 0; $i < 100_000; $i++) $scope->spawn(function () { Async\delay(1_000_000); });
suspend();
printf("%-44s %8.1f KiB each (goal: 12)\n", '100,000 parked coroutines, VmRSS and VmPTE', (memory() - $before) / 100_000);
$scope->cancel();
$scope->awaitAfterCancellation();

if ($port = getenv('WEFT_HTTP_PORT')) {
    $url = "http://127.0.0.1:$port/hello.txt";
    $ours = least(function () use ($url) {
        $left = 10_000;
        $workers = [];
        for ($i = 0; $i < 100; $i++) {
            $workers[] = spawn(function () use (&$left, $url) {
                while ($left-- > 0) file_get_contents($url) === "hello from nginx\n" || throw new Exception('no answer');
            });
        }
        await_all_or_fail($workers);
    }) / 1e6;
    $theirs = least(function () use ($url) {
        $multi = curl_multi_init();
        $open = function () use ($url, $multi) {
            $one = curl_init($url);
            curl_setopt_array($one, [CURLOPT_RETURNTRANSFER => true, CURLOPT_FORBID_REUSE => true]);
            curl_multi_add_handle($multi, $one);
        };
        for ($started = 0; $started < 100; $started++) $open();
        for ($done = 0; $done < 10_000;) {
            curl_multi_exec($multi, $running);
            while ($message = curl_multi_info_read($multi)) {
                curl_multi_getcontent($message['handle']) === "hello from nginx\n" || throw new Exception('no answer');
                curl_multi_remove_handle($multi, $message['handle']);
                $done++;
                if ($started++ < 10_000) $open();
            }
            if ($done < 10_000) curl_multi_select($multi);
        }
    }) / 1e6;
    row('10,000 requests, 100 at a time; curl_multi', $ours, $theirs, 'ms', '1.20');
}
