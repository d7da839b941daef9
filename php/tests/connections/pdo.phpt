--TEST--
PDO: a connection that a statement waits on is refused to other coroutines
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_PG')) die('skip WEFT_PG is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . '/refused.inc';
$where = 'pgsql:' . strtr(getenv('WEFT_PG'), ' ', ';');
$pdo = new PDO($where);
$statement = $pdo->prepare('select 1 from pg_sleep(0.2)');
meanwhile(fn() => $statement->execute(),
    query: fn() => $pdo->query('select 2'),
    execute: fn() => $statement->execute(),
    close: fn() => $statement->closeCursor(),
);
var_dump($statement->fetchColumn(), $pdo->query('select 3')->fetchColumn());

// Dropped by its owner meanwhile.
unset($statement);
$query = Async\spawn(fn(PDO $pdo) => $pdo->query('select 4 from pg_sleep(0.1)')->fetchColumn(), $pdo);
Async\delay(30);
unset($pdo);
var_dump(Async\await($query));

// Objects of one persistent connection.
$persistent = [PDO::ATTR_PERSISTENT => true];
$one = new PDO($where, null, null, $persistent);
$two = new PDO($where, null, null, $persistent);
$value = meanwhile(fn() => $one->query('select 5 from pg_sleep(0.2)')->fetchColumn(),
    other_object: fn() => $two->query('select 6'),
    new_object: fn() => new PDO($where, null, null, $persistent),
    other_connection: fn() => (new PDO($where, null, null, [PDO::ATTR_PERSISTENT => 'b']))->query('select 7')->fetchColumn(),
);
var_dump($value, $two->query('select 8')->fetchColumn());
?>
--EXPECT--
query: Async\AsyncException: The stream or connection is already in use by coroutine N
execute: Async\AsyncException: The stream or connection is already in use by coroutine N
close: Async\AsyncException: The stream or connection is already in use by coroutine N
int(1)
int(3)
int(4)
other_object: Async\AsyncException: The stream or connection is already in use by coroutine N
new_object: Async\AsyncException: The stream or connection is already in use by coroutine N
other_connection: 7
int(5)
int(8)
