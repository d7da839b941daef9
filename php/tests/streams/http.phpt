--TEST--
The wrappers http and https
--SKIPIF--
<?php if (!getenv('WEFT_HTTP_PORT')) die('skip WEFT_HTTP_PORT is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$port = getenv('WEFT_HTTP_PORT');
$slow = "http://127.0.0.1:$port/slow/large.txt";
$range = stream_context_create(['http' => ['header' => 'Range: bytes=0-129999']]);
$got = concurrently('http', 0.3, fn() => strlen(file_get_contents($slow, false, $range)));
echo array_sum($got), "\n";
echo implode('', array_unique(concurrently('fopen', 1, fn() => fgets(fopen("http://127.0.0.1:$port/hello.txt", 'r')))));
$trusting = stream_context_create(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]);
$got = concurrently('https', 1, fn() => file_get_contents('https://127.0.0.1:' . getenv('WEFT_HTTPS_PORT') . '/hello.txt', false, $trusting));
echo implode('', array_unique($got));
echo strlen(Async\await(Async\spawn(fn() => file_get_contents("http://127.0.0.1:$port/large.txt")))), "\n";
cancelled('file_get_contents', fn() => file_get_contents($slow));
var_dump(@file_get_contents("http://127.0.0.1:$port/none.txt"));
?>
--EXPECT--
http: concurrent
1300000
fopen: concurrent
hello from nginx
https: concurrent
hello from nginx
2000000
file_get_contents: Coroutine cancelled
bool(false)
