--TEST--
Commands run in the current directory, and proc_open() in the one it is given
--FILE--
<?php
use function Async\{await, spawn};
chdir('/');
echo json_encode(await(spawn(function () {
    $process = proc_open(['pwd'], [1 => ['pipe', 'w']], $pipes, '/usr');
    $got = [shell_exec('pwd'), stream_get_contents($pipes[1])];
    proc_close($process);
    return $got;
})), JSON_UNESCAPED_SLASHES), "\n";
?>
--EXPECT--
["/\n","/usr\n"]
