--TEST--
PDO with MariaDB
--EXTENSIONS--
pdo
mysqlnd
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_MARIADB_PORT')) die('skip WEFT_MARIADB_PORT is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$connect = fn() => new PDO('mysql:host=127.0.0.1;dbname=mysql;port=' . getenv('WEFT_MARIADB_PORT'), 'root', '');
$got = concurrently('query', 0.3, fn($i) => $connect()->query("select $i + sleep(0.3)")->fetchColumn());
echo implode(' ', $got), "\n";
$got = concurrently('prepared', 0.3, function ($i) use ($connect) {
    $statement = $connect()->prepare('select ? + sleep(0.3)');
    $statement->execute([$i]);
    return (int) $statement->fetchColumn();
});
echo implode(' ', $got), "\n";
cancelled('query', fn() => $connect()->query('select sleep(20)'));
// The server ends the connection in the middle of a query.
$victim = $connect();
$id = $victim->query('select connection_id()')->fetchColumn();
$query = Async\spawn(fn() => $victim->query('select sleep(20)'));
Async\delay(50);
$connect()->query("kill $id");
try {
    Async\await($query);
} catch (PDOException $error) {
    echo 'killed: ', $error->getCode(), "\n";
}
echo $connect()->query('select 1')->fetchColumn(), "\n";
?>
--EXPECTF--
query: concurrent
0 1 2 3 4 5 6 7 8 9
prepared: concurrent
0 1 2 3 4 5 6 7 8 9
query: Coroutine cancelled
killed: %s
1
