--TEST--
Two coroutines talk to each other over a pair of sockets
--FILE--
<?php
use function Async\{await, spawn};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
spawn(function () use ($there) { while (($line = fgets($there)) !== false) fwrite($there, strtoupper($line)); });
$client = spawn(function () use ($here) { $got = ''; foreach (['a', 'b', 'c'] as $x) { fwrite($here, "$x\n"); $got .= trim(fgets($here)); } fclose($here); return $got; });
echo await($client), "\n";
?>
--EXPECT--
ABC
