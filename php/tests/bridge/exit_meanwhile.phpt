--TEST--
exit() cancels coroutines that wait in a function; their finally blocks run
--FILE--
<?php
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
Async\spawn(function () use ($here) {
    try {
        fread($here, 10);
    } finally {
        echo "finally\n";
    }
});
Async\spawn(function () { usleep(1000); exit("exit\n"); });
sleep(20);
echo "not reached\n";
?>
--EXPECT--
exit
finally
