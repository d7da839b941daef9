--TEST--
curl: a handle in a transfer is refused to other coroutines; a multi handle that is only selected on is not
--EXTENSIONS--
curl
--SKIPIF--
<?php if (!getenv('WEFT_HTTP_PORT')) die('skip WEFT_HTTP_PORT is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . '/refused.inc';
$slow = 'http://127.0.0.1:' . getenv('WEFT_HTTP_PORT') . '/slow/large.txt';
$hello = '127.0.0.1:' . getenv('WEFT_HTTP_PORT') . '/hello.txt';
$curl = curl_init($slow);
curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_RANGE => '0-119999']);
echo strlen(meanwhile(fn() => curl_exec($curl),
    exec: fn() => curl_exec($curl),
    option: fn() => curl_setopt($curl, CURLOPT_URL, $hello),
    reset: fn() => curl_reset($curl),
    close: fn() => curl_close($curl),
)), "\n";

// A callback that waits holds the handle too.
$curl = curl_init($hello);
curl_setopt($curl, CURLOPT_WRITEFUNCTION, function ($curl, $text) {
    Async\delay(100);
    curl_setopt($curl, CURLOPT_PRIVATE, 'mine');
    return strlen($text);
});
var_dump(meanwhile(fn() => curl_exec($curl), reset: fn() => curl_reset($curl)));
echo curl_getinfo($curl, CURLINFO_PRIVATE), "\n";

// Handles may be added while another coroutine selects.
$multi = curl_multi_init();
$first = curl_init($slow);
curl_setopt_array($first, [CURLOPT_RETURNTRANSFER => true, CURLOPT_RANGE => '0-119999']);
curl_multi_add_handle($multi, $first);
$second = curl_init($hello);
curl_setopt($second, CURLOPT_RETURNTRANSFER, true);
meanwhile(function () use ($multi) {
    do {
        curl_multi_exec($multi, $running);
        curl_multi_select($multi);
    } while ($running);
}, add: fn() => curl_multi_add_handle($multi, $second));
echo strlen(curl_multi_getcontent($first)), ' ', curl_multi_getcontent($second);
?>
--EXPECT--
exec: Async\AsyncException: The stream or connection is already in use by coroutine N
option: Async\AsyncException: The stream or connection is already in use by coroutine N
reset: Async\AsyncException: The stream or connection is already in use by coroutine N
close: Async\AsyncException: The stream or connection is already in use by coroutine N
120000
reset: Async\AsyncException: The stream or connection is already in use by coroutine N
bool(true)
mine
add: 0
120000 hello from nginx
