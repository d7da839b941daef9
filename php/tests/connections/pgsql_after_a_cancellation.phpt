--TEST--
pgsql: a connection whose query was cancelled can be closed
--EXTENSIONS--
pgsql
--SKIPIF--
<?php if (!getenv('WEFT_PG')) die('skip WEFT_PG is not set: tools/services run ...'); ?>
--FILE--
<?php
$link = pg_connect(getenv('WEFT_PG'), PGSQL_CONNECT_FORCE_NEW);
$query = Async\spawn(fn() => pg_query($link, 'select pg_sleep(20)'));
Async\delay(30);
$query->cancel();
try {
    Async\await($query);
} catch (Cancellation $error) {
    echo $error->getMessage(), "\n";
}
var_dump(pg_close($link));
?>
--EXPECT--
Coroutine cancelled
bool(true)
