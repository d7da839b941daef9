--TEST--
A coroutine that overflows its C stack ends the process with a report that names it
--FILE--
<?php
preg_match_all('/extension=(\S*weft\.so)/', str_replace("\0", " ", file_get_contents("/proc/self/cmdline")), $m);
$script = __DIR__ . '/overflow_of_a_c_stack.child.inc';
file_put_contents($script, '<?php
function deep($n) { return array_map(fn($n) => deep($n + 1), [$n]); }
echo "before\n";
Async\await(Async\spawn(fn() => deep(0)));
echo "never\n";
');
$child = proc_open([PHP_BINARY, '-n', '-d', 'extension=' . trim($m[1][0], '"'), '-d', 'memory_limit=-1', $script], [1 => ['pipe', 'w'], 2 => ['redirect', 1]], $pipes);
echo stream_get_contents($pipes[1]);
var_dump(proc_close($child) !== 0);
unlink($script);
?>
--EXPECTF--
before
weft: stack overflow in coroutine %d, spawned at %soverflow_of_a_c_stack.child.inc:4, its stack has %d bytes %a
bool(true)
