--TEST--
The redis extension
--EXTENSIONS--
igbinary
redis
--SKIPIF--
<?php if (!getenv('WEFT_REDIS_PORT')) die('skip WEFT_REDIS_PORT is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$connect = function () {
    $redis = new Redis;
    $redis->connect('127.0.0.1', (int) getenv('WEFT_REDIS_PORT'));
    return $redis;
};
concurrently('blPop', 1, fn($i) => $connect()->blPop("empty$i", 1));
$got = concurrently('set and get', 10, function ($i) use ($connect) {
    $redis = $connect();
    $redis->set("key$i", "value$i");
    return $redis->get("key$i");
});
echo implode(' ', $got), "\n";
cancelled('blPop', fn() => $connect()->blPop('empty', 20));
?>
--EXPECT--
blPop: concurrent
set and get: concurrent
value0 value1 value2 value3 value4 value5 value6 value7 value8 value9
blPop: Coroutine cancelled
