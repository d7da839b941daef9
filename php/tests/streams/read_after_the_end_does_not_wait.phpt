--TEST--
Reading after the end of a stream does not suspend
--FILE--
<?php
use function Async\{await, spawn};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
fwrite($there, 'last');
fclose($there);
$reader = spawn(function () use ($here) { $got = [fread($here, 10), fread($here, 10), fgets($here), feof($here)]; echo "read\n"; return $got; });
spawn(fn () => print("others run later\n"));
echo json_encode(await($reader)), "\n";
?>
--EXPECT--
read
others run later
["last","",false,true]
