--TEST--
Requests in one process of php -S do not see each other's ends: exit, fatal error, exception, deadlock
--SKIPIF--
<?php if (!function_exists('proc_open')) die('skip needs proc_open'); ?>
--FILE--
<?php
$page = __DIR__ . '/many_requests_in_one_process.page.inc';
file_put_contents($page, <<<'PHP'
<?php
use function Async\{spawn, await, suspend};
ini_set('async.debug_deadlock', '0'); ini_set('html_errors', '0');
register_shutdown_function(fn () => print("|shutdown\n"));
switch (trim($_SERVER['REQUEST_URI'], '/')) {
    case 'exit': spawn(function () { suspend(); echo 'exit'; exit(1); }); break;
    case 'fatal': spawn(function () { suspend(); trigger_error('fatal', E_USER_ERROR); }); break;
    case 'throw': spawn(function () { suspend(); throw new Exception('thrown'); }); break;
    case 'deadlock': $d = spawn(function () use (&$d) { await($d); }); break;
    default: echo await(spawn(fn () => 'ok'));
}
PHP);
$port = 20000 + getmypid() % 20000;
preg_match_all('/extension=(\S*weft\.so)/', str_replace("\0", " ", file_get_contents("/proc/self/cmdline")), $m);
$server = proc_open([PHP_BINARY, '-n', '-d', 'extension=' . trim($m[1][0], '"'), '-S', "127.0.0.1:$port", $page], [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes);
for ($i = 0; $i < 1000 && !($up = @fsockopen('127.0.0.1', $port)); ++$i) usleep(20000);
fclose($up);
for ($round = 0; $round < 2; ++$round) {
    foreach (['ok', 'exit', 'fatal', 'throw', 'deadlock'] as $how) {
        $answer = file_get_contents("http://127.0.0.1:$port/$how", false, stream_context_create(['http' => ['ignore_errors' => true]]));
        echo "$how: ", preg_match('/ok|exit|(Fatal error: \S+ ?\S*)/', $answer, $found) ? $found[0] : '-', strstr($answer, '|'), str_contains($answer, '|') ? '' : "\n";
    }
}
proc_terminate($server);
unlink($page);
?>
--EXPECT--
ok: ok|shutdown
exit: exit|shutdown
fatal: Fatal error: fatal in|shutdown
throw: Fatal error: Uncaught Exception:|shutdown
deadlock: Fatal error: Uncaught Async\DeadlockError:|shutdown
ok: ok|shutdown
exit: exit|shutdown
fatal: Fatal error: fatal in|shutdown
throw: Fatal error: Uncaught Exception:|shutdown
deadlock: Fatal error: Uncaught Async\DeadlockError:|shutdown
