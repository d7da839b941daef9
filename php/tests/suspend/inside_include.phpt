--TEST--
A file that is included may suspend
--FILE--
<?php
use function Async\{spawn, await};
$file = sys_get_temp_dir() . '/weft_' . getmypid() . '.php';
file_put_contents($file, '<?php echo "in\n"; Async\suspend(); return 7;');
$c = spawn(fn () => include $file);
spawn(fn () => print("other\n"));
echo await($c), "\n";
unlink($file);
?>
--EXPECT--
in
other
7
