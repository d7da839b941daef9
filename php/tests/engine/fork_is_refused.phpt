--TEST--
pcntl_fork() is refused while other coroutines are alive
--SKIPIF--
<?php if (!function_exists('pcntl_fork')) die('skip no pcntl'); ?>
--FILE--
<?php
$child = pcntl_fork();
if ($child === 0) exit(3);
pcntl_waitpid($child, $status);
var_dump(pcntl_wexitstatus($status));
$other = Async\spawn(fn() => Async\suspend());
try {
    pcntl_fork();
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
Async\await($other);
?>
--EXPECT--
int(3)
Cannot fork() while coroutines other than the main one are running. fork() is only allowed when just the main coroutine is active.
