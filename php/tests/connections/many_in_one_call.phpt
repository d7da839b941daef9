--TEST--
A connection can be used again in its own callbacks, and by the next coroutine as soon as it is free
--EXTENSIONS--
pgsql
--SKIPIF--
<?php if (!getenv('WEFT_PG')) die('skip WEFT_PG is not set: tools/services run ...'); ?>
--FILE--
<?php
$link = pg_connect(getenv('WEFT_PG'), PGSQL_CONNECT_FORCE_NEW);
$turn = new Async\Channel(1);
$turn->send(true);
$users = [];
for ($i = 0; $i < 5; $i++) {
    $users[] = Async\spawn(function () use ($link, $turn, $i) {
        $turn->recv();
        try {
            return pg_fetch_result(pg_query($link, "select $i from pg_sleep(0.01)"), 0, 0);
        } finally {
            $turn->send(true);
        }
    });
}
echo implode(' ', Async\await_all_or_fail($users)), "\n";
?>
--EXPECT--
0 1 2 3 4
