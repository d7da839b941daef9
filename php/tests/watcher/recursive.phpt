--TEST--
A recursive watcher reports files below with their relative name
--FILE--
<?php
use Async\FileSystemWatcher;
$d = sys_get_temp_dir() . '/weft_' . getmypid();
mkdir("$d/sub", recursive: true);
$w = new FileSystemWatcher($d, recursive: true);
touch("$d/sub/a");
foreach ($w as $e) { if ($e->filename === 'sub/a') { echo "found\n"; break; } }
$w->close();
unlink("$d/sub/a"); rmdir("$d/sub"); rmdir($d);
?>
--EXPECT--
found
