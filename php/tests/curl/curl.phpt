--TEST--
curl: single transfers, a multi handle, https, and a callback that suspends
--EXTENSIONS--
curl
--SKIPIF--
<?php if (!getenv('WEFT_HTTP_PORT')) die('skip WEFT_HTTP_PORT is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$slow = 'http://127.0.0.1:' . getenv('WEFT_HTTP_PORT') . '/slow/large.txt';
$hello = '127.0.0.1:' . getenv('WEFT_HTTP_PORT') . '/hello.txt';
$open = function ($url, $more = []) {
    $curl = curl_init($url);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true] + $more);
    return $curl;
};
// 100 KiB at once, the rest at 100 KiB a second.
$got = concurrently('curl_exec', 0.3, fn() => strlen(curl_exec($open($slow, [CURLOPT_RANGE => '0-129999']))));
echo array_sum($got), "\n";
$got = concurrently('https', 1, fn() => curl_exec($open('https://127.0.0.1:' . getenv('WEFT_HTTPS_PORT') . '/hello.txt',
    [CURLOPT_SSL_VERIFYPEER => false, CURLOPT_SSL_VERIFYHOST => 0])));
echo implode('', array_unique($got));
$got = concurrently('curl_multi', 0.3, function () use ($open, $slow) {
    $multi = curl_multi_init();
    $one = $open($slow, [CURLOPT_RANGE => '0-129999']);
    curl_multi_add_handle($multi, $one);
    do {
        curl_multi_exec($multi, $running);
        if ($running) curl_multi_select($multi);
    } while ($running);
    return strlen(curl_multi_getcontent($one));
});
echo array_sum($got), "\n";
$got = concurrently('a callback', 0.1, function () use ($open, $hello) {
    $text = '';
    curl_exec($open($hello, [CURLOPT_WRITEFUNCTION => function ($curl, $part) use (&$text) {
        Async\delay(100);
        $text .= $part;
        return strlen($part);
    }]));
    return $text;
});
echo implode('', array_unique($got));
cancelled('curl_exec', fn() => curl_exec($open($slow)));
var_dump(curl_exec($open('http://127.0.0.1:1/')));
?>
--EXPECT--
curl_exec: concurrent
1300000
https: concurrent
hello from nginx
curl_multi: concurrent
1300000
a callback: concurrent
hello from nginx
curl_exec: Coroutine cancelled
bool(false)
