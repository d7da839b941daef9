--TEST--
proc_close() waits for its command and gives the exit code
--FILE--
<?php
use function Async\{await, spawn};
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$process = proc_open('read line; exit 7', [0 => $there], $pipes);
$waiter = spawn(fn () => proc_close($process));
spawn(function () use ($here) { echo "others run\n"; fwrite($here, "go\n"); });
var_dump(await($waiter));
?>
--EXPECT--
others run
int(7)
