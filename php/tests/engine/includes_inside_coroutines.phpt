--TEST--
Files are included and classes declared inside coroutines
--FILE--
<?php
use function Async\{spawn, await, suspend};
$file = __DIR__ . '/includes_inside_coroutines.inc';
file_put_contents($file, '<?php Async\suspend(); return fn () => "included";');
$all = [spawn(fn () => (include $file)()), spawn(fn () => (include $file)())];
foreach ($all as $c) echo await($c), "\n";
unlink($file);
?>
--EXPECT--
included
included
