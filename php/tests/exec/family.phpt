--TEST--
exec(), shell_exec(), system(), passthru(), popen() and proc_open() wait for their commands in their coroutine
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$got = concurrently('exec', 0.2, function ($i) {
    exec("sleep 0.2; echo line $i; exit $i", $lines, $code);
    return "$lines[0]=$code";
});
echo implode(', ', $got), "\n";
echo implode('', concurrently('shell_exec', 0.2, fn($i) => shell_exec("sleep 0.2; echo -n $i"))), "\n";
ob_start();
$ends = concurrently('system', 0.2, function ($i) {
    ob_start();
    $last = system("sleep 0.2; echo $i", $code);
    return ob_get_clean() === "$i\n" && $last === "$i" && $code === 0;
});
ob_end_flush();
var_dump(array_unique($ends) === [true]);
$ends = concurrently('passthru', 0.2, function ($i) {
    ob_start();
    passthru("sleep 0.2; echo $i", $code);
    return ob_get_clean() === "$i\n" && $code === 0;
});
var_dump(array_unique($ends) === [true]);
$got = concurrently('popen', 0.2, function ($i) {
    $pipe = popen("sleep 0.2; echo $i; exit $i", 'r');
    return trim(fgets($pipe)) . pclose($pipe);
});
echo implode(' ', $got), "\n";
$got = concurrently('proc_open', 0.2, function ($i) {
    $process = proc_open("cat; sleep 0.2; exit $i", [['pipe', 'r'], ['pipe', 'w']], $pipes);
    fwrite($pipes[0], "in$i");
    fclose($pipes[0]);
    return stream_get_contents($pipes[1]) . proc_close($process);
});
echo implode(' ', $got), "\n";
?>
--EXPECT--
exec: concurrent
line 0=0, line 1=1, line 2=2, line 3=3, line 4=4, line 5=5, line 6=6, line 7=7, line 8=8, line 9=9
shell_exec: concurrent
0123456789
system: concurrent
bool(true)
passthru: concurrent
bool(true)
popen: concurrent
00 11 22 33 44 55 66 77 88 99
proc_open: concurrent
in00 in11 in22 in33 in44 in55 in66 in77 in88 in99
