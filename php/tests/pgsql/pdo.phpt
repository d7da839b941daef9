--TEST--
PDO with PostgreSQL
--EXTENSIONS--
pdo
pdo_pgsql
--SKIPIF--
<?php if (!getenv('WEFT_PG')) die('skip WEFT_PG is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$where = 'pgsql:' . str_replace(' ', ';', getenv('WEFT_PG'));
$connect = fn() => new PDO($where, null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
$got = concurrently('query', 0.3, fn($i) => $connect()->query("select $i from pg_sleep(0.3)")->fetchColumn());
echo implode(' ', $got), "\n";
$got = concurrently('prepared', 0.3, function ($i) use ($connect) {
    $statement = $connect()->prepare('select ?::int from pg_sleep(0.3)');
    $statement->execute([$i]);
    return $statement->fetchColumn();
});
echo implode(' ', $got), "\n";
cancelled('query', fn() => $connect()->query('select pg_sleep(20)'));
$victim = $connect();
$pid = $victim->query('select pg_backend_pid()')->fetchColumn();
$query = Async\spawn(fn() => $victim->query('select pg_sleep(20)'));
Async\delay(50);
$connect()->query("select pg_terminate_backend($pid)");
try {
    Async\await($query);
} catch (PDOException $error) {
    var_dump(str_contains($error->getMessage(), 'terminating connection'));
}
echo $connect()->query('select 1')->fetchColumn(), "\n";
?>
--EXPECT--
query: concurrent
0 1 2 3 4 5 6 7 8 9
prepared: concurrent
0 1 2 3 4 5 6 7 8 9
query: Coroutine cancelled
bool(true)
1
