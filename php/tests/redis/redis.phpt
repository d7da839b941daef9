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
// The server ends the connection while the client waits.
$victim = $connect();
$id = $victim->rawCommand('CLIENT', 'ID');
$pop = Async\spawn(fn() => $victim->blPop('empty', 20));
Async\delay(50);
$connect()->rawCommand('CLIENT', 'KILL', 'ID', (string) $id);
try {
    var_dump(Async\await($pop));
} catch (RedisException $error) {
    echo 'killed: ', $error->getMessage(), "\n";
}
var_dump($connect()->ping());
?>
--EXPECTF--
blPop: concurrent
set and get: concurrent
value0 value1 value2 value3 value4 value5 value6 value7 value8 value9
blPop: Coroutine cancelled
killed: read error on connection to 127.0.0.1:%d
bool(true)
