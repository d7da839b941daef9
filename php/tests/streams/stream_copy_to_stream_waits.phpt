--TEST--
stream_copy_to_stream() waits for its source
--FILE--
<?php
use function Async\{await, spawn, suspend};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$target = fopen('php://memory', 'w+');
$copy = spawn(function () use ($here, $target) { echo "waits\n"; return stream_copy_to_stream($here, $target, 6); });
suspend();
echo "others run\n";
fwrite($there, 'copied and more');
var_dump(await($copy));
rewind($target);
echo stream_get_contents($target), "\n";
?>
--EXPECT--
waits
others run
int(6)
copied
