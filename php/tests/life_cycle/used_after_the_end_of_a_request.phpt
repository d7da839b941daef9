--TEST--
A session handler that uses the API when the request has ended is refused, and the next request is served
--EXTENSIONS--
session
--SKIPIF--
<?php if (!function_exists('proc_open')) die('skip needs proc_open'); ?>
--FILE--
<?php
$page = __DIR__ . '/used_after_the_end_of_a_request.page.inc';
file_put_contents($page, <<<'PHP'
<?php
ini_set('html_errors', '0');
session_set_save_handler(fn () => true, fn () => true, fn () => '', function () {
    try { Async\delay(1); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
    return true;
}, fn () => true, fn () => 0);
session_start();
$_SESSION['x'] = random_int(0, PHP_INT_MAX);
echo Async\await(Async\spawn(fn () => "ok\n"));
PHP);
$port = 20000 + getmypid() % 20000;
preg_match_all('/extension=(\S*weft\.so)/', str_replace("\0", " ", file_get_contents("/proc/self/cmdline")), $m);
$server = proc_open([PHP_BINARY, '-n', '-d', 'extension=' . trim($m[1][0], '"'), '-S', "127.0.0.1:$port", $page], [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes);
for ($i = 0; $i < 1000 && !($up = @fsockopen('127.0.0.1', $port)); ++$i) usleep(20000);
fclose($up);
for ($round = 0; $round < 3; ++$round) echo file_get_contents("http://127.0.0.1:$port/");
proc_terminate($server);
unlink($page);
?>
--EXPECT--
ok
The request has ended
ok
The request has ended
ok
The request has ended
