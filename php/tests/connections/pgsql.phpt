--TEST--
pgsql: a connection that a query waits on is refused to other coroutines, and the query goes on
--EXTENSIONS--
pgsql
--SKIPIF--
<?php if (!getenv('WEFT_PG')) die('skip WEFT_PG is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . '/refused.inc';
$link = pg_connect(getenv('WEFT_PG'), PGSQL_CONNECT_FORCE_NEW);
$before = pg_query($link, 'select 7');
$result = meanwhile(fn() => pg_query($link, 'select 1 from pg_sleep(0.2)'),
    close: fn() => pg_close($link),
    query: fn() => pg_query($link, 'select 2'),
    prepare: fn() => pg_prepare($link, 'name', 'select 3'),
    a_result: fn() => pg_fetch_result($before, 0, 0),
);
var_dump(pg_fetch_result($result, 0, 0));
echo pg_fetch_result(pg_query($link, 'select 4'), 0, 0), "\n";

// Dropped by its owner meanwhile.
$query = Async\spawn(fn($link) => pg_query($link, 'select 5 from pg_sleep(0.1)'), $link);
Async\delay(30);
unset($link);
gc_collect_cycles();
echo pg_fetch_result(Async\await($query), 0, 0), "\n";

// The connection that is left out.
$link = pg_connect(getenv('WEFT_PG'), PGSQL_CONNECT_FORCE_NEW);
$result = meanwhile(fn() => @pg_query('select 6 from pg_sleep(0.2)'),
    close: fn() => @pg_close(),
    close_by_name: fn() => pg_close($link),
);
var_dump(pg_fetch_result($result, 0, 0), @pg_close());
?>
--EXPECT--
close: Async\AsyncException: The stream or connection is already in use by coroutine N
query: Async\AsyncException: The stream or connection is already in use by coroutine N
prepare: Async\AsyncException: The stream or connection is already in use by coroutine N
a_result: "7"
string(1) "1"
4
5
close: Async\AsyncException: The stream or connection is already in use by coroutine N
close_by_name: Async\AsyncException: The stream or connection is already in use by coroutine N
string(1) "6"
bool(true)
