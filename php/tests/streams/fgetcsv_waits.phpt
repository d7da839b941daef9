--TEST--
fgetcsv() waits in its coroutine
--FILE--
<?php
use function Async\{await, spawn, suspend};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(function () use ($here) { echo "waits\n"; return fgetcsv($here); });
suspend();
echo "others run\n";
fputcsv($there, ['a', 'b c', 'd"e']);
echo json_encode(await($reader)), "\n";
?>
--EXPECT--
waits
others run
["a","b c","d\"e"]
