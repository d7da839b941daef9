--TEST--
fread() gives what is there, and does not wait for more
--FILE--
<?php
use function Async\{await, spawn};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
fwrite($there, 'part');
echo await(spawn(fn () => fread($here, 8192))), "\n";
?>
--EXPECT--
part
