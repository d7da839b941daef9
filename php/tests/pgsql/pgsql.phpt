--TEST--
The pgsql extension
--EXTENSIONS--
pgsql
--SKIPIF--
<?php if (!getenv('WEFT_PG')) die('skip WEFT_PG is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$where = getenv('WEFT_PG');
$connect = fn() => pg_connect($where, PGSQL_CONNECT_FORCE_NEW);
$got = concurrently('pg_query', 0.3, fn($i) => pg_fetch_result(pg_query($connect(), "select $i from pg_sleep(0.3)"), 0, 0));
echo implode(' ', $got), "\n";
cancelled('pg_query', fn() => pg_query($connect(), 'select pg_sleep(20)'));
$shared = $connect();
$first = Async\spawn(fn() => @pg_query($shared, 'select pg_sleep(0.1)'));
$second = Async\spawn(fn() => pg_query($shared, 'select 2'));
try {
    Async\await($second);
} catch (Async\AsyncException $error) {
    echo preg_replace('/\d+/', 'N', $error->getMessage()), "\n";
}
// The server ends the connection in the middle of a query.
$victim = $connect();
$pid = pg_get_pid($victim);
$query = Async\spawn(fn() => @pg_query($victim, 'select pg_sleep(20)'));
Async\delay(50);
pg_query($connect(), "select pg_terminate_backend($pid)");
var_dump(Async\await($query), str_contains(pg_last_error($victim), 'terminating connection'));
?>
--EXPECT--
pg_query: concurrent
0 1 2 3 4 5 6 7 8 9
pg_query: Coroutine cancelled
The stream or connection is already in use by coroutine N
bool(false)
bool(true)
