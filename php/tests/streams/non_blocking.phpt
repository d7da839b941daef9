--TEST--
Streams in non-blocking mode return at once
--FILE--
<?php
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
stream_set_blocking($here, false);
Async\await(Async\spawn(function () use ($here) { var_dump(fread($here, 10)); }));
?>
--EXPECT--
string(0) ""
