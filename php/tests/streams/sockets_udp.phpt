--TEST--
The sockets extension sends and receives datagrams beside other coroutines
--EXTENSIONS--
sockets
--FILE--
<?php
use function Async\{await, spawn, suspend};
$server = socket_create(AF_INET, SOCK_DGRAM, SOL_UDP);
socket_bind($server, '127.0.0.1');
socket_getsockname($server, $host, $port);
$receiver = spawn(function () use ($server) { $got = []; for ($i = 0; $i < 2; ++$i) { $n = socket_recvfrom($server, $data, 100, 0, $from, $from_port); $got[] = "$n $data $from"; } return $got; });
suspend();
var_dump($receiver->isCompleted());
$client = socket_create(AF_INET, SOCK_DGRAM, SOL_UDP);
foreach (['one', 'three'] as $text) socket_sendto($client, $text, strlen($text), 0, '127.0.0.1', $port);
echo implode("\n", await($receiver)), "\n";
?>
--EXPECT--
bool(false)
3 one 127.0.0.1
5 three 127.0.0.1
