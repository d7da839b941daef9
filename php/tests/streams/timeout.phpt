--TEST--
stream_set_timeout() ends a read; the stream stays usable
--FILE--
<?php
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
stream_set_timeout($here, 0, 50_000);
Async\await(Async\spawn(function () use ($here, $there) {
    $begin = microtime(true);
    var_dump(fread($here, 10), stream_get_meta_data($here)['timed_out'], microtime(true) - $begin >= 0.049);
    fwrite($there, 'later');
    var_dump(fread($here, 10), stream_get_meta_data($here)['timed_out']);
}));
?>
--EXPECT--
bool(false)
bool(true)
bool(true)
string(5) "later"
bool(false)
