--TEST--
PDO: a persistent connection to MariaDB is not taken for a dead one while a coroutine uses it
--EXTENSIONS--
mysqlnd
pdo
pdo_mysql
--SKIPIF--
<?php if (!getenv('WEFT_MARIADB_PORT')) die('skip WEFT_MARIADB_PORT is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . '/refused.inc';
$where = 'mysql:host=127.0.0.1;dbname=mysql;port=' . getenv('WEFT_MARIADB_PORT');
$open = fn() => new PDO($where, 'root', '', [PDO::ATTR_PERSISTENT => true]);
$pdo = $open();
$id = $pdo->query('select connection_id()')->fetchColumn();
echo meanwhile(fn() => $pdo->query('select 1 + sleep(0.2)')->fetchColumn(), open: $open), "\n";
var_dump($open()->query('select connection_id()')->fetchColumn() === $id);
?>
--EXPECT--
open: Async\AsyncException: The stream or connection is already in use by coroutine N
1
bool(true)
