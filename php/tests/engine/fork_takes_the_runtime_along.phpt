--TEST--
The child of pcntl_fork() has a working loop
--SKIPIF--
<?php if (!function_exists('pcntl_fork')) die('skip no pcntl'); ?>
--FILE--
<?php
use function Async\{spawn, await, delay};
await(spawn(function () { delay(1); }));
$child = pcntl_fork();
if ($child === 0) {
    echo await(spawn(function () { delay(5); return "child\n"; }));
    usleep(1000);
    exit(3);
}
pcntl_waitpid($child, $status);
var_dump(pcntl_wifexited($status), pcntl_wexitstatus($status));
echo await(spawn(function () { delay(1); return "parent\n"; }));
?>
--EXPECT--
child
bool(true)
int(3)
parent
