--TEST--
redis: a connection that a command waits on is refused to other coroutines
--EXTENSIONS--
igbinary
redis
--SKIPIF--
<?php if (!getenv('WEFT_REDIS_PORT')) die('skip WEFT_REDIS_PORT is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . '/refused.inc';
$connect = function () {
    $redis = new Redis;
    $redis->connect('127.0.0.1', (int) getenv('WEFT_REDIS_PORT'));
    return $redis;
};
$redis = $connect();
$got = meanwhile(fn() => $redis->blPop('waited for', 10),
    close: fn() => $redis->close(),
    get: fn() => $redis->get('key'),
    connect: fn() => $redis->connect('127.0.0.1', (int) getenv('WEFT_REDIS_PORT')),
    another: fn() => $connect()->rPush('waited for', 'this'),
);
echo $got[1], "\n";
var_dump($redis->close());

// One callback for two subscribers is not a connection.
$heard = fn($redis, $channel, $text) => $redis->close();
$subscribe = function ($redis, $channel) use ($heard) {
    try {
        $redis->subscribe([$channel], $heard);
    } catch (RedisException $error) {
        echo $error->getMessage(), "\n";
    }
};
[$one, $two] = [$connect(), $connect()];
$subscribers = [
    Async\spawn($subscribe, $one, 'c1'),
    Async\spawn($subscribe, $two, 'c2'),
];
$publisher = $connect();
foreach (['c1', 'c2'] as $channel) {
    while ($publisher->publish($channel, 'text') === 0) {
        Async\suspend();
    }
}
Async\await_all_or_fail($subscribers);
?>
--EXPECT--
close: Async\AsyncException: The stream or connection is already in use by coroutine N
get: Async\AsyncException: The stream or connection is already in use by coroutine N
connect: Async\AsyncException: The stream or connection is already in use by coroutine N
another: 1
this
bool(true)
Connection closed
Connection closed
