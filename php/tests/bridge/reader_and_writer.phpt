--TEST--
One coroutine may read from a stream while another one writes
--FILE--
<?php
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = Async\spawn(fn() => fgets($here));
$writer = Async\spawn(fn() => fwrite($here, str_repeat('x', 1_000_000)));
$got = 0;
while ($got < 1_000_000) $got += strlen(fread($there, 100_000));
fwrite($there, "answer\n");
var_dump(Async\await($reader), Async\await($writer), $got);
?>
--EXPECT--
string(7) "answer
"
int(1000000)
int(1000000)
