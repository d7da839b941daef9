--TEST--
What dropped coroutines used can be closed by a shutdown function
--EXTENSIONS--
pgsql
--SKIPIF--
<?php if (!getenv('WEFT_PG')) die('skip WEFT_PG is not set: tools/services run ...'); ?>
--INI--
display_errors=0
log_errors=0
--FILE--
<?php
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$link = pg_connect(getenv('WEFT_PG'), PGSQL_CONNECT_FORCE_NEW);
register_shutdown_function(function () use ($here, $link) {
    var_dump(fclose($here), pg_close($link));
});
Async\spawn(fn() => fread($here, 1));
Async\spawn(fn() => pg_query($link, 'select pg_sleep(20)'));
Async\delay(30);
trigger_error('over', E_USER_ERROR);
?>
--EXPECT--
bool(true)
bool(true)
