--TEST--
The exit code of a script that ends in a coroutine
--FILE--
<?php
preg_match('/extension=(\S*weft\.so)/', str_replace("\0", ' ', file_get_contents('/proc/self/cmdline')), $m);
$file = __DIR__ . '/exit_codes.inc';
$scripts = [
    'normal end' => 'Async\spawn(fn () => 1);',
    'exit in a coroutine' => 'Async\spawn(function () { exit(3); }); Async\delay(60000);',
    'exit after main' => 'Async\spawn(function () { Async\suspend(); exit(4); });',
    'exit in main' => 'Async\spawn(fn () => Async\delay(60000)); exit(5);',
    'unhandled exception' => 'Async\spawn(function () { throw new Exception; });',
    'unhandled while main waits' => 'Async\spawn(function () { throw new Exception; }); Async\delay(60000);',
    'handler that exits' => 'set_exception_handler(function () { exit(12); }); Async\spawn(function () { throw new Exception; });',
    'handler that exits while main waits' => 'set_exception_handler(function () { exit(13); }); Async\spawn(function () { throw new Exception; }); Async\delay(60000);',
    'fatal error' => 'Async\spawn(function () { trigger_error("", E_USER_ERROR); }); Async\delay(60000);',
    'deadlock' => '$c = Async\spawn(function () use (&$c) { Async\await($c); });',
    'cancelled main' => 'Async\spawn(fn () => 1); Async\current_coroutine()->cancel(); Async\suspend();',
];
foreach ($scripts as $name => $code) {
    file_put_contents($file, "<?php $code");
    exec(escapeshellarg(PHP_BINARY) . ' -n -d extension=' . escapeshellarg($m[1]) . ' ' . escapeshellarg($file), $output, $status);
    echo "$name: $status\n";
}
unlink($file);
?>
--EXPECT--
normal end: 0
exit in a coroutine: 3
exit after main: 4
exit in main: 5
unhandled exception: 255
unhandled while main waits: 255
handler that exits: 12
handler that exits while main waits: 13
fatal error: 255
deadlock: 255
cancelled main: 0
