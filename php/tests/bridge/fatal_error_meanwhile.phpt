--TEST--
A fatal error drops coroutines that wait in a function, without finally
--FILE--
<?php
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
Async\spawn(function () use ($here) {
    try {
        fread($here, 10);
        echo "not reached\n";
    } finally {
        echo "not reached either\n";
    }
});
Async\spawn(function () { usleep(1000); trigger_error('the end', E_USER_ERROR); });
register_shutdown_function(function () { echo "shutdown function\n"; });
?>
--EXPECTF--
Fatal error: the end in %s on line %d
shutdown function
