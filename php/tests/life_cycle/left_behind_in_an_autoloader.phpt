--TEST--
A coroutine that does not end is left behind after 10 seconds; the next request in the process loads its class
--SKIPIF--
<?php if (getenv('SKIP_SLOW_TESTS')) die('skip slow: takes 10 seconds'); ?>
--FILE--
<?php
$page = __DIR__ . '/left_behind_in_an_autoloader.page.inc';
file_put_contents($page, <<<'PHP'
<?php
use function Async\{spawn, suspend, delay};
ini_set('html_errors', '0');
if ($_SERVER['REQUEST_URI'] === '/first') {
    spl_autoload_register(function () { try { delay(60000); } finally { delay(60000); } });
    spawn(fn() => class_exists('Needed'));
    suspend();
    exit;
}
spl_autoload_register(function ($class) { eval("class $class {}"); });
spawn(fn() => 1);
echo get_class(new Needed);
PHP);
$port = 20000 + getmypid() % 20000;
preg_match_all('/extension=(\S*weft\.so)/', str_replace("\0", " ", file_get_contents("/proc/self/cmdline")), $m);
$server = proc_open([PHP_BINARY, '-n', '-d', 'extension=' . trim($m[1][0], '"'), '-S', "127.0.0.1:$port", $page], [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes);
for ($i = 0; $i < 200 && !($up = @fsockopen('127.0.0.1', $port)); ++$i) usleep(20000);
fclose($up);
$get = fn($path) => trim(file_get_contents("http://127.0.0.1:$port/$path", false, stream_context_create(['http' => ['ignore_errors' => true]])));
echo $get('first'), "\n", $get('second'), "\n";
proc_terminate($server);
unlink($page);
?>
--EXPECTF--
%a
Needed
