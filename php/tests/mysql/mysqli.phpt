--TEST--
mysqli
--EXTENSIONS--
mysqlnd
mysqli
--SKIPIF--
<?php if (!getenv('WEFT_MARIADB_PORT')) die('skip WEFT_MARIADB_PORT is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$connect = fn() => new mysqli('127.0.0.1', 'root', '', 'mysql', (int) getenv('WEFT_MARIADB_PORT'));
$got = concurrently('query', 0.3, fn($i) => $connect()->query("select $i + sleep(0.3)")->fetch_row()[0]);
echo implode(' ', $got), "\n";
cancelled('query', fn() => $connect()->query('select sleep(20)'));
$victim = $connect();
$id = $victim->thread_id;
$query = Async\spawn(fn() => @$victim->query('select sleep(20)'));
Async\delay(50);
$connect()->query("kill $id");
try {
    Async\await($query);
} catch (mysqli_sql_exception $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECTF--
query: concurrent
0 1 2 3 4 5 6 7 8 9
query: Coroutine cancelled
%s
