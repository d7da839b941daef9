--TEST--
stream_socket_accept() waits for a client in its coroutine
--FILE--
<?php
use function Async\{await, spawn, suspend};
$server = stream_socket_server('tcp://127.0.0.1:0');
$accepted = spawn(function () use ($server) { echo "waits\n"; return fgets(stream_socket_accept($server, 30)); });
suspend();
echo "others run\n";
$client = stream_socket_client('tcp://' . stream_socket_get_name($server, false));
fwrite($client, "hello\n");
echo await($accepted);
?>
--EXPECT--
waits
others run
hello
