--TEST--
stream_socket_recvfrom() waits for a datagram, which keeps its borders and its sender
--FILE--
<?php
use function Async\{await, spawn, suspend};
$server = stream_socket_server('udp://127.0.0.1:0', $code, $text, STREAM_SERVER_BIND);
$client = stream_socket_client('udp://' . stream_socket_get_name($server, false));
$reader = spawn(function () use ($server) { echo "waits\n"; return [stream_socket_recvfrom($server, 100, 0, $from), $from]; });
suspend();
echo "others run\n";
stream_socket_sendto($client, 'datagram');
[$data, $from] = await($reader);
var_dump($data, $from === stream_socket_get_name($client, false));
?>
--EXPECT--
waits
others run
string(8) "datagram"
bool(true)
