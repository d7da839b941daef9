<?php
// For an installed extension: a read that blocks until another coroutine writes, in plain PHP.
use function Async\{await, spawn};

[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(fgets(...), $here);
$writer = spawn(function () use ($there) {
    usleep(1000);
    fwrite($there, trim(shell_exec('echo meanwhile')) . "\n");
});
echo 'read ', await($reader);
await($writer);
