--TEST--
mysqli: a link that a query or a statement waits on is refused to other coroutines, and outlives its variable
--EXTENSIONS--
mysqlnd
mysqli
--SKIPIF--
<?php if (!getenv('WEFT_MARIADB_PORT')) die('skip WEFT_MARIADB_PORT is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . '/refused.inc';
$connect = fn() => new mysqli('127.0.0.1', 'root', '', 'mysql', (int) getenv('WEFT_MARIADB_PORT'));
$link = $connect();
$before = $link->query('select 7');
$result = meanwhile(fn() => $link->query('select 1 + sleep(0.2)'),
    close: fn() => $link->close(),
    function: fn() => mysqli_close($link),
    query: fn() => $link->query('select 2'),
    a_result: fn() => $before->fetch_row(),
);
echo $result->fetch_row()[0], "\n";

$statement = $link->prepare('select 3 + sleep(0.2)');
meanwhile(fn() => $statement->execute(),
    close: fn() => $link->close(),
    close_statement: fn() => $statement->close(),
);
echo $statement->get_result()->fetch_row()[0], "\n";

// The link closes its connection when it is destroyed.
$statement = $link->prepare('select 4 + sleep(0.2)');
$execution = Async\spawn(function () use ($statement) {
    $statement->execute();
    return true;
});
Async\delay(30);
unset($link);
var_dump(Async\await($execution));

// A result that is received row by row.
$link = $connect();
$rows = meanwhile(function () use ($link) {
    $result = $link->query('select sleep(0.1) from (select 1 union select 2 union select 3) as t', MYSQLI_USE_RESULT);
    return count($result->fetch_all());
}, close: fn() => $link->close());
var_dump($rows, $link->close());

// Waits for several.
$links = [$connect(), $connect()];
foreach ($links as $one) {
    $one->query('select sleep(0.2)', MYSQLI_ASYNC);
}
$ready = meanwhile(function () use ($links) {
    [$read, $error, $reject] = [$links, $links, $links];
    return mysqli_poll($read, $error, $reject, 5) > 0;
}, close: fn() => $links[1]->close());
var_dump($ready);
?>
--EXPECT--
close: Async\AsyncException: The stream or connection is already in use by coroutine N
function: Async\AsyncException: The stream or connection is already in use by coroutine N
query: Async\AsyncException: The stream or connection is already in use by coroutine N
a_result: ["7"]
1
close: Async\AsyncException: The stream or connection is already in use by coroutine N
close_statement: Async\AsyncException: The stream or connection is already in use by coroutine N
3
bool(true)
close: Async\AsyncException: The stream or connection is already in use by coroutine N
int(3)
bool(true)
close: Async\AsyncException: The stream or connection is already in use by coroutine N
bool(true)
