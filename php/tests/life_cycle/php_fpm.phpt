--TEST--
Many requests in one process of php-fpm: nothing is carried over, and functions that block suspend in each
--EXTENSIONS--
posix
--SKIPIF--
<?php if (glob("/usr/sbin/php-fpm*") === [] || !function_exists("posix_getuid")) die("skip needs php-fpm and posix"); ?>
--FILE--
<?php
// A FastCGI request over $address; returns the body of the answer.
function request(string $address, string $page, string $how): string
{
    $record = fn (int $type, string $data) => pack('CCnnCC', 1, $type, 1, strlen($data), 0, 0) . $data;
    $fields = '';
    foreach (['SCRIPT_FILENAME' => $page, 'REQUEST_METHOD' => 'GET', 'QUERY_STRING' => $how] as $name => $value) {
        $fields .= pack('CN', strlen($name), strlen($value) | 0x80000000) . $name . $value;
    }
    $stream = stream_socket_client("unix://$address");
    fwrite($stream, $record(1, pack('nCx5', 1, 0)) . $record(4, $fields) . $record(4, '') . $record(5, ''));
    $answer = '';
    while (strlen($head = (string) stream_get_contents($stream, 8)) === 8) {
        ['type' => $type, 'size' => $size, 'padding' => $padding] = unpack('Cversion/Ctype/nid/nsize/Cpadding', $head);
        $data = $size + $padding > 0 ? stream_get_contents($stream, $size + $padding) : '';
        if ($type === 6) $answer .= substr($data, 0, $size);
        if ($type === 3) break;
    }
    return substr(strstr($answer, "\r\n\r\n"), 4);
}

$home = sys_get_temp_dir() . '/weft_fpm_' . getmypid();
mkdir($home);
file_put_contents("$home/page.php", <<<'PHP'
<?php
use function Async\{spawn, suspend, await_all, get_coroutines};
ini_set('html_errors', '0');
$at_first = count(get_coroutines());
switch ($_SERVER['QUERY_STRING']) {
    case 'exit': spawn(function () { suspend(); exit(1); }); break;
    case 'fatal': spawn(function () { suspend(); trigger_error('fatal', E_USER_ERROR); }); break;
    case 'throw': spawn(function () { suspend(); throw new Exception('thrown'); }); break;
    default:
        $asleep = $most = 0;
        $all = [];
        for ($i = 0; $i < 10; ++$i) {
            $all[] = spawn(function () use (&$asleep, &$most) { $most = max($most, ++$asleep); usleep(30000); --$asleep; });
        }
        await_all($all);
        echo json_encode([getmypid(), $at_first, $most, memory_get_usage()]);
}
PHP);
file_put_contents("$home/fpm.conf", "[global]\ndaemonize = no\nerror_log = $home/log\n[www]\nlisten = $home/socket\npm = static\npm.max_children = 1\n"
    . (posix_getuid() === 0 ? "user = root\ngroup = root\n" : ''));
preg_match('/extension=(\S*weft\.so)/', str_replace("\0", ' ', file_get_contents('/proc/self/cmdline')), $m);
$server = proc_open([glob('/usr/sbin/php-fpm*')[0], '-n', '-R', '-y', "$home/fpm.conf", '-d', 'extension=' . trim($m[1], '"')],
    [['file', '/dev/null', 'r'], ['file', "$home/out", 'w'], ['file', "$home/out", 'w']], $pipes);
for ($i = 0; $i < 2000 && !($up = @stream_socket_client("unix://$home/socket")); ++$i) usleep(10000);
fclose($up);

$seen = [];
for ($round = 0; $round < 40; ++$round) {
    $seen[] = json_decode(request("$home/socket", "$home/page.php", 'ok'));
    request("$home/socket", "$home/page.php", ['exit', 'fatal', 'throw'][$round % 3]);
}
echo 'processes: ', count(array_unique(array_column($seen, 0))), "\n";
echo 'coroutines at the beginning: ', implode(' ', array_unique(array_column($seen, 1))), "\n";
echo 'calls at the same time: ', implode(' ', array_unique(array_column($seen, 2))), "\n";
echo 'memory grows: ', var_export($seen[39][3] > $seen[4][3] + 4096, true), "\n";
proc_terminate($server);
proc_close($server);
array_map('unlink', glob("$home/*"));
rmdir($home);
?>
--EXPECT--
processes: 1
coroutines at the beginning: 0
calls at the same time: 10
memory grows: false
