--TEST--
The number of processors is that of the cgroup, if that allows less
--SKIPIF--
<?php
exec('unshare -m true 2>&1', $output, $code);
if ($code !== 0) die('skip needs the right to mount');
?>
--FILE--
<?php
preg_match_all('/extension=(\S*weft\.so)/', str_replace("\0", " ", file_get_contents("/proc/self/cmdline")), $m);
$print = __DIR__ . '/parallelism_of_a_container.child.inc';
file_put_contents($print, '<?php echo Async\available_parallelism(), " ", Async\CpuSnapshot::now()->cpuCount, "\n";');
$php = escapeshellarg(PHP_BINARY) . ' -n -d extension=' . escapeshellarg(trim($m[1][0], '"')) . ' ' . escapeshellarg($print);
// Over what is mounted there, for the child alone.
$group = rtrim(preg_match('/^0::(.*)$/m', file_get_contents('/proc/self/cgroup'), $found) ? $found[1] : '/', '/');
foreach (['50000 100000', 'max 100000', '400000000 100000'] as $limit) {
    $directory = "/sys/fs/cgroup$group";
    echo shell_exec("unshare -m sh -c 'mount -t tmpfs none /sys/fs/cgroup && mkdir -p \"$directory\" && echo $limit > \"$directory/cpu.max\" && exec \"\$@\"' sh $php") === "1 1\n" ? 'one' : 'more', "\n";
}
unlink($print);
?>
--EXPECTF--
one
%s
%s
