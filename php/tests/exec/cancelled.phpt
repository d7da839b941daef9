--TEST--
A cancelled coroutine leaves its command at once, and the command is ended
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$file = tempnam(sys_get_temp_dir(), 'weft');
$command = "sh -c 'echo \$\$ > $file; exec sleep 30'";
foreach (['exec', 'shell_exec', 'system', 'passthru'] as $function) {
    cancelled($function, fn() => $function("echo \$\$ > $file; exec sleep 30"));
    $pid = (int) file_get_contents($file);
    for ($i = 0; $i < 500 && is_dir("/proc/$pid") && !str_contains(file_get_contents("/proc/$pid/stat"), ' Z '); $i++) usleep(10_000);
    echo $i < 500 ? "ended\n" : "still there\n";
}
cancelled('proc_close', fn() => proc_close(proc_open('exec sleep 1', [], $pipes)));
unlink($file);
?>
--EXPECT--
exec: Coroutine cancelled
ended
shell_exec: Coroutine cancelled
ended
system: Coroutine cancelled
ended
passthru: Coroutine cancelled
ended
proc_close: Coroutine cancelled
