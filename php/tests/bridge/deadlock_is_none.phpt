--TEST--
A coroutine that waits for a descriptor is no deadlock; one that nothing can wake is
--INI--
async.debug_deadlock=0
--FILE--
<?php
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = Async\spawn(fn() => fread($here, 4));
Async\spawn(function () use ($there) { usleep(2000); fwrite($there, 'text'); });
var_dump(Async\await($reader));
?>
--EXPECT--
string(4) "text"
